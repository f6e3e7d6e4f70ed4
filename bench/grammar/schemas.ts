import { MORE_SCHEMAS } from './more-schemas.ts';

/**
 * Schemas as libraries and people write them: of forms, events, manifests, messages and tools. They are the
 * fixed sample whose conversion, compilation and masks are measured.
 */
export const SCHEMAS: readonly object[] = [
  // A tool with two arguments.
  {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The city, e.g. Bern' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city'],
  },
  // An answer with its reasons, as in tutorials.
  {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        items: {
          type: 'object',
          properties: { explanation: { type: 'string' }, output: { type: 'string' } },
          required: ['explanation', 'output'],
          additionalProperties: false,
        },
      },
      final_answer: { type: 'string' },
    },
    required: ['steps', 'final_answer'],
    additionalProperties: false,
  },
  // A form, as Pydantic describes it.
  {
    $defs: {
      Address: {
        properties: {
          street: { maxLength: 120, title: 'Street', type: 'string' },
          zip: {
            anyOf: [{ pattern: '^\\d{4,5}$', type: 'string' }, { type: 'null' }],
            title: 'Zip',
          },
          country: { default: 'CH', maxLength: 2, minLength: 2, title: 'Country', type: 'string' },
        },
        required: ['street', 'zip'],
        title: 'Address',
        type: 'object',
      },
    },
    properties: {
      name: { maxLength: 80, minLength: 1, title: 'Name', type: 'string' },
      email: { format: 'email', maxLength: 254, title: 'Email', type: 'string' },
      website: { format: 'uri', maxLength: 2083, minLength: 1, title: 'Website', type: 'string' },
      born: { format: 'date', title: 'Born', type: 'string' },
      addresses: {
        items: { $ref: '#/$defs/Address' },
        maxItems: 5,
        title: 'Addresses',
        type: 'array',
      },
    },
    required: ['name', 'email', 'addresses'],
    title: 'Person',
    type: 'object',
  },
  // Kinds of shapes, as zod describes a discriminated union.
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    oneOf: ['circle', 'square', 'triangle'].map((kind) => ({
      type: 'object',
      properties: {
        kind: { type: 'string', const: kind },
        size: { type: 'number', exclusiveMinimum: 0, maximum: 1000 },
        label: { anyOf: [{ type: 'string', maxLength: 40 }, { type: 'null' }] },
      },
      required: ['kind', 'size', 'label'],
      additionalProperties: false,
    })),
  },
  // A tree.
  {
    type: 'object',
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { $ref: '#' } },
    },
    required: ['name', 'children'],
  },
  // An event of a web page, with limits everywhere.
  {
    type: 'object',
    properties: {
      event: { type: 'string', maxLength: 64 },
      category: { type: 'string', maxLength: 255 },
      label: { type: ['string', 'null'], maxLength: 255 },
      value: { type: ['number', 'null'] },
      page: { type: 'string', format: 'uri', maxLength: 4096 },
      referrer: { type: ['string', 'null'], format: 'uri', maxLength: 4096 },
      session: { type: 'string', format: 'uuid' },
      index: { type: 'integer', minimum: 0, maximum: 2147483647 },
      time: { type: 'string', format: 'date-time' },
    },
    required: ['event', 'session', 'time'],
    additionalProperties: false,
  },
  // A message of JSON-RPC.
  {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      result: {},
      error: {
        type: 'object',
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
        required: ['code', 'message'],
      },
    },
    required: ['jsonrpc', 'id'],
    oneOf: [{ required: ['result'] }, { required: ['error'] }],
  },
  // The manifest of a package.
  {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^(?:@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*$', maxLength: 214 },
      version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$' },
      description: { type: 'string' },
      keywords: { type: 'array', items: { type: 'string' } },
      license: {
        anyOf: [{ type: 'string' }, { enum: ['MIT', 'ISC', 'Apache-2.0', 'UNLICENSED'] }],
      },
      author: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
            required: ['name'],
          },
        ],
      },
      scripts: { type: 'object', additionalProperties: { type: 'string' } },
      dependencies: { type: 'object', additionalProperties: { type: 'string' } },
      private: { type: 'boolean' },
    },
    required: ['name', 'version'],
  },
  // A service of a container file.
  {
    type: 'object',
    properties: {
      image: { type: 'string' },
      build: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { context: { type: 'string' } } },
        ],
      },
      ports: { type: 'array', items: { type: ['string', 'integer'] } },
      environment: {
        oneOf: [
          {
            type: 'object',
            patternProperties: { '.+': { type: ['string', 'number', 'null'] } },
            additionalProperties: false,
          },
          { type: 'array', items: { type: 'string' } },
        ],
      },
      restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
    },
    anyOf: [{ required: ['image'] }, { required: ['build'] }],
    additionalProperties: false,
  },
  ...MORE_SCHEMAS,
];
