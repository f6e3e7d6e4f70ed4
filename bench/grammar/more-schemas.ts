/** Further schemas of the fixed sample: of resources, lists and settings. */
export const MORE_SCHEMAS: readonly object[] = [
  // A shipment, whose fields depend on its kind.
  {
    type: 'object',
    properties: {
      kind: { enum: ['letter', 'parcel'] },
      weight: { type: 'number', minimum: 0, maximum: 30, multipleOf: 0.01 },
      express: { type: 'boolean' },
    },
    required: ['kind'],
    if: { properties: { kind: { const: 'parcel' } } },
    then: { required: ['weight'] },
    else: { properties: { weight: false } },
  },
  // A payment with fields that need each other.
  {
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: 0, multipleOf: 0.01 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      card: { type: 'string', pattern: '^\\d{12,19}$' },
      expires: { type: 'string', pattern: '^(?:0[1-9]|1[0-2])/\\d{2}$' },
      iban: { type: 'string', minLength: 15, maxLength: 34 },
    },
    required: ['amount', 'currency'],
    dependentRequired: { card: ['expires'] },
    not: { required: ['card', 'iban'] },
  },
  // Labels from a list, each once.
  {
    type: 'object',
    properties: {
      labels: {
        type: 'array',
        items: { enum: ['bug', 'feature', 'question', 'docs', 'ci'] },
        uniqueItems: true,
        minItems: 1,
      },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    },
    required: ['labels', 'confidence'],
  },
  // A place on the Earth.
  {
    type: 'object',
    properties: {
      type: { const: 'Feature' },
      geometry: {
        type: 'object',
        properties: {
          type: { const: 'Point' },
          coordinates: {
            type: 'array',
            prefixItems: [
              { type: 'number', minimum: -180, maximum: 180 },
              { type: 'number', minimum: -90, maximum: 90 },
            ],
            minItems: 2,
            maxItems: 2,
          },
        },
        required: ['type', 'coordinates'],
      },
      properties: { type: ['object', 'null'] },
    },
    required: ['type', 'geometry', 'properties'],
  },
  // A resource of a cluster: large, and every part has the same metadata.
  {
    definitions: {
      meta: {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' },
          namespace: { type: 'string', maxLength: 63 },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          annotations: { type: 'object', additionalProperties: { type: 'string' } },
        },
        required: ['name'],
      },
      container: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          image: { type: 'string' },
          args: { type: 'array', items: { type: 'string' } },
          env: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, value: { type: 'string' } },
              required: ['name'],
            },
          },
          ports: {
            type: 'array',
            items: {
              type: 'object',
              properties: { containerPort: { type: 'integer', minimum: 1, maximum: 65535 } },
              required: ['containerPort'],
            },
          },
          resources: {
            type: 'object',
            properties: {
              limits: { type: 'object', additionalProperties: { type: 'string' } },
              requests: { type: 'object', additionalProperties: { type: 'string' } },
            },
          },
        },
        required: ['name', 'image'],
      },
    },
    type: 'object',
    properties: {
      apiVersion: { const: 'apps/v1' },
      kind: { const: 'Deployment' },
      metadata: { $ref: '#/definitions/meta' },
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer', minimum: 0, format: 'int32' },
          template: {
            type: 'object',
            properties: {
              metadata: { $ref: '#/definitions/meta' },
              spec: {
                type: 'object',
                properties: {
                  containers: {
                    type: 'array',
                    items: { $ref: '#/definitions/container' },
                    minItems: 1,
                  },
                },
                required: ['containers'],
              },
            },
            required: ['spec'],
          },
        },
        required: ['template'],
      },
    },
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
  },
  // A list of bookings with times.
  {
    type: 'array',
    maxItems: 200,
    items: {
      type: 'object',
      properties: {
        room: { type: 'string', pattern: '^[A-Z]\\d{3}$' },
        from: { type: 'string', format: 'date-time' },
        to: { type: 'string', format: 'date-time' },
        guests: { type: 'integer', minimum: 1, maximum: 12 },
        note: { type: 'string', maxLength: 500 },
      },
      required: ['room', 'from', 'to', 'guests'],
      additionalProperties: false,
    },
  },
  // A word.
  { enum: ['positive', 'neutral', 'negative'] },
  // Many optional settings.
  {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `setting${index}`,
        [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }, { enum: ['a', 'b', 'c'] }][
          index % 4
        ],
      ]),
    ),
    additionalProperties: false,
  },
  // A table of any columns.
  {
    type: 'object',
    propertyNames: { pattern: '^[a-z_]{1,30}$' },
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    minProperties: 1,
  },
  // An address of a computer.
  {
    type: 'object',
    properties: {
      host: {
        anyOf: [{ format: 'hostname' }, { format: 'ipv4' }, { format: 'ipv6' }],
        type: 'string',
      },
      port: { type: 'integer', minimum: 1, maximum: 65535 },
      protocol: { enum: ['http', 'https', 'ws', 'wss'] },
    },
    required: ['host', 'port'],
  },
  // Names taken from a text.
  {
    type: 'object',
    properties: {
      entities: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string', minLength: 1 },
            type: { enum: ['person', 'place', 'organisation', 'date', 'money', 'other'] },
            start: { type: 'integer', minimum: 0 },
            end: { type: 'integer', minimum: 0 },
          },
          required: ['text', 'type'],
        },
      },
    },
    required: ['entities'],
  },
];
