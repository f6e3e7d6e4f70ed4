/** Thrown for what Python's jinja2 would not do either. */
export class TemplateFault extends Error {}

/** Thrown if a template takes more than its limits. */
export class TemplateTooLong extends TemplateFault {}
