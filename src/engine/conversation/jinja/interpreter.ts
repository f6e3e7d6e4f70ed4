import { TemplateFault } from './limits/faults.ts';
import { Expressions } from './expressions.ts';
import type { Node } from './syntax/nodes.ts';
import { checkLength, takeSteps } from './limits/render-limits.ts';
import { Scope } from './scope.ts';
import { callOf } from './syntax/call-tag.ts';
import { AS_BLOCK, AUTOESCAPE, RECURSIVE } from './syntax/tags.ts';
import { str } from './values/text.ts';
import {
  argument,
  Callable,
  isTrue,
  itemsOf,
  Loop,
  type LoopRun,
  Namespace,
  Tuple,
  Undefined,
  type Value,
} from './values/values.ts';

/** Leaves an iteration of a loop. */
class LoopControl extends Error {
  readonly isBreak: boolean;
  /** What the iteration has written. */
  text = '';

  constructor(isBreak: boolean) {
    super();
    this.isBreak = isBreak;
  }
}

/** Runs the statements of a parsed template as Python's jinja2 does. */
export class Interpreter {
  readonly #expressions = new Expressions();
  readonly #top: Scope;

  /** @param top - has what the template is given, and what it sets outside loops and macros */
  constructor(top: Scope) {
    this.#top = top;
  }

  /** The text of a block. */
  render(body: readonly Node[], scope: Scope): string {
    let text = '';
    try {
      for (const node of body) {
        text += this.#statement(node, scope);
        checkLength(text.length);
      }
    } catch (error) {
      if (error instanceof LoopControl) error.text = text + error.text;
      throw error;
    }
    return text;
  }

  #statement(node: Node, scope: Scope): string {
    takeSteps(1);
    switch (node.type) {
      case 'Program':
        return this.render(node.body, scope);
      case 'Comment':
        return '';
      case 'If':
        return this.render(
          isTrue(this.#expressions.value(node.test, scope)) ? node.body : node.alternate,
          scope,
        );
      case 'For':
        return this.#loop(node, scope);
      case 'Break':
        throw new LoopControl(true);
      case 'Continue':
        throw new LoopControl(false);
      case 'Set':
        if (node.value)
          this.#assign(node.assignee, this.#expressions.value(node.value, scope), scope);
        else this.#assignBlock(node.assignee, this.render(node.body, new Scope(scope)), scope);
        return '';
      case 'Macro':
        scope.set(node.name.value, this.#macro(node.args, node.body, scope));
        return '';
      case 'CallStatement': {
        const caller = this.#macro(node.callerArgs ?? [], node.body, scope);
        return str(this.#expressions.call(callOf(node.call), scope, new Map([['caller', caller]])));
      }
      case 'FilterStatement':
        return this.#filterBlock(node, scope);
      default:
        return str(this.#expressions.value(node, scope));
    }
  }

  #filterBlock({ filter, body }: Node & { type: 'FilterStatement' }, scope: Scope): string {
    if (filter.type === 'Identifier' && filter.value === AS_BLOCK)
      return this.render(body, new Scope(this.#top));
    const text = this.render(body, new Scope(scope));
    const isAutoescape =
      filter.type === 'CallExpression' &&
      filter.callee.type === 'Identifier' &&
      filter.callee.value === AUTOESCAPE;
    if (!isAutoescape) return str(this.#expressions.filter(text, filter, scope));
    const [isOn] = filter.args;
    if (isOn && isTrue(this.#expressions.value(isOn, scope)))
      throw new TemplateFault('{% autoescape true %} is not supported: prompts are not HTML');
    return text;
  }

  #loop(node: Node & { type: 'For' }, outer: Scope): string {
    const { iterable } = node;
    const whole = iterable.type === 'SelectExpression' ? iterable.lhs : iterable;
    return this.#iterations(node, this.#expressions.value(whole, outer), outer, 0);
  }

  #iterations(node: Node & { type: 'For' }, whole: Value, outer: Scope, depth: number): string {
    const { loopvar, iterable, body, defaultBlock } = node;
    const items = itemsOf(whole).filter((item) => {
      if (iterable.type !== 'SelectExpression') return true;
      const scope = new Scope(outer);
      this.#assign(loopvar, item, scope);
      return isTrue(this.#expressions.value(iterable.test, scope));
    });
    if (items.length === 0) return this.render(defaultBlock, outer);
    const isRecursive = body[0]?.type === 'Comment' && body[0].value === RECURSIVE;
    const run: LoopRun = {
      items,
      depth,
      recurse: isRecursive ? (inner) => this.#iterations(node, inner, outer, depth + 1) : undefined,
    };
    let text = '';
    for (const [index, item] of items.entries()) {
      // An empty body has no step of its own.
      takeSteps(1);
      const scope = new Scope(outer);
      scope.set('loop', new Loop(run, index));
      this.#assign(loopvar, item, scope);
      const { part, isLast } = this.#iteration(body, scope);
      text += part;
      checkLength(text.length);
      if (isLast) break;
    }
    return text;
  }

  #iteration(body: readonly Node[], scope: Scope): { part: string; isLast: boolean } {
    try {
      return { part: this.render(body, scope), isLast: false };
    } catch (error) {
      if (!(error instanceof LoopControl)) throw error;
      return { part: error.text, isLast: error.isBreak };
    }
  }

  #assign(target: Node, value: Value, scope: Scope): void {
    if (target.type === 'Identifier') return scope.set(target.value, value);
    if (target.type === 'MemberExpression') {
      const object = this.#expressions.value(target.object, scope);
      const { property } = target;
      if (object instanceof Namespace && property.type === 'Identifier') {
        object.members.set(property.value, value);
        return;
      }
      throw new TemplateFault('cannot assign attribute on non-namespace object');
    }
    if (target.type !== 'TupleLiteral') throw new TemplateFault('cannot assign to this');
    const items = itemsOf(value);
    if (items.length !== target.value.length)
      throw new TemplateFault('wrong number of values to unpack');
    target.value.forEach((each, index) => this.#assign(each, items[index] ?? null, scope));
  }

  /** `{% set name | filter %}` */
  #assignBlock(target: Node, text: Value, scope: Scope): void {
    const filters: (Node & { type: 'FilterExpression' })['filter'][] = [];
    let name = target;
    for (; name.type === 'FilterExpression'; name = name.operand) filters.unshift(name.filter);
    const value = filters.reduce(
      (each, filter) => this.#expressions.filter(each, filter, scope),
      text,
    );
    this.#assign(name, value, scope);
  }

  #macro(parameters: readonly Node[], body: readonly Node[], defined: Scope): Callable {
    const names = parameters.map((each) =>
      each.type === 'KeywordArgumentExpression'
        ? each.key.value
        : each.type === 'Identifier'
          ? each.value
          : '',
    );
    return new Callable((args, named) => {
      const scope = new Scope(defined);
      const rest = new Map(named);
      names.forEach((name, index) => {
        const value = argument(args, rest, index, name);
        rest.delete(name);
        const parameter = parameters[index];
        if (value !== undefined) scope.set(name, value);
        else if (parameter?.type === 'KeywordArgumentExpression')
          scope.set(name, this.#expressions.value(parameter.value, scope));
        else scope.set(name, new Undefined(name));
      });
      const caller = rest.get('caller');
      if (caller !== undefined) scope.set('caller', caller);
      scope.set('varargs', Tuple.from(args.slice(names.length)));
      scope.set('kwargs', new Map(rest));
      return this.render(body, scope);
    });
  }
}
