import { TemplateFault } from './faults.ts';
import { Expressions } from './expressions.ts';
import type { Node } from './nodes.ts';
import { checkLength, takeSteps } from './render-limits.ts';
import { Scope } from './scope.ts';
import { str } from './text.ts';
import {
  argument,
  Callable,
  isTrue,
  itemsOf,
  Loop,
  Namespace,
  Tuple,
  Undefined,
  type Value,
} from './values.ts';

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
        return str(this.#expressions.call(node.call, scope, new Map([['caller', caller]])));
      }
      case 'FilterStatement':
        return str(
          this.#expressions.filter(this.render(node.body, new Scope(scope)), node.filter, scope),
        );
      default:
        return str(this.#expressions.value(node, scope));
    }
  }

  #loop(node: Node & { type: 'For' }, outer: Scope): string {
    const { loopvar, body, defaultBlock } = node;
    const select = node.iterable.type === 'SelectExpression' ? node.iterable : undefined;
    const items = itemsOf(
      this.#expressions.value(select ? select.lhs : node.iterable, outer),
    ).filter((item) => {
      if (!select) return true;
      const scope = new Scope(outer);
      this.#assign(loopvar, item, scope);
      return isTrue(this.#expressions.value(select.test, scope));
    });
    if (items.length === 0) return this.render(defaultBlock, outer);
    let text = '';
    for (const [index, item] of items.entries()) {
      // An empty body has no step of its own.
      takeSteps(1);
      const scope = new Scope(outer);
      scope.set('loop', new Loop(items, index));
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
