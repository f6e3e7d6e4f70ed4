import { filtered } from './filters.ts';
import { memberOf, sliceOf } from './members.ts';
import type { Call, Identifier, Node, Slice } from './nodes.ts';
import { negative, operate } from './operators.ts';
import { Scope } from './scope.ts';
import { passes } from './tests.ts';
import { str } from './text.ts';
import {
  argument,
  Callable,
  Float,
  isTrue,
  itemsOf,
  Loop,
  Namespace,
  numberOf,
  TemplateFault,
  Tuple,
  Undefined,
  type Arguments,
  type Value,
} from './values.ts';

/** What a rendering may take. */
export interface Limits {
  /** Nodes that are evaluated. */
  steps: number;
  /** Characters of each text that is made. */
  characters: number;
}

/** Thrown if a template takes more than its limits. */
export class TemplateTooLong extends TemplateFault {}

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

/** Evaluates a parsed template as Python's jinja2 does. */
export class Interpreter {
  readonly #limits: Limits;
  #steps = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The text of a block. */
  render(body: readonly Node[], scope: Scope): string {
    let text = '';
    try {
      for (const node of body) {
        text += this.#statement(node, scope);
        this.#check(text.length);
      }
    } catch (error) {
      if (error instanceof LoopControl) error.text = text + error.text;
      throw error;
    }
    return text;
  }

  #checked(value: Value): Value {
    if (typeof value === 'string') this.#check(value.length);
    return value;
  }

  #check(characters: number): void {
    const { steps, characters: most } = this.#limits;
    if (this.#steps > steps) throw new TemplateTooLong('It takes too many steps.');
    if (characters > most) throw new TemplateTooLong('Its text is too long.');
  }

  #statement(node: Node, scope: Scope): string {
    this.#steps++;
    switch (node.type) {
      case 'Program':
        return this.render(node.body, scope);
      case 'Comment':
        return '';
      case 'If':
        return this.render(
          isTrue(this.#value(node.test, scope)) ? node.body : node.alternate,
          scope,
        );
      case 'For':
        return this.#loop(node, scope);
      case 'Break':
        throw new LoopControl(true);
      case 'Continue':
        throw new LoopControl(false);
      case 'Set':
        this.#assign(
          node.assignee,
          node.value ? this.#value(node.value, scope) : this.render(node.body, new Scope(scope)),
          scope,
        );
        return '';
      case 'Macro':
        scope.set(node.name.value, this.#macro(node.args, node.body, scope));
        return '';
      case 'CallStatement': {
        const caller = this.#macro(node.callerArgs ?? [], node.body, scope);
        return str(this.#call(node.call, scope, new Map([['caller', caller]])));
      }
      case 'FilterStatement':
        return str(this.#filter(this.render(node.body, new Scope(scope)), node.filter, scope));
      default:
        return str(this.#value(node, scope));
    }
  }

  #loop(node: Node & { type: 'For' }, outer: Scope): string {
    const { loopvar, body, defaultBlock } = node;
    const select = node.iterable.type === 'SelectExpression' ? node.iterable : undefined;
    const items = itemsOf(this.#value(select ? select.lhs : node.iterable, outer)).filter(
      (item) => {
        if (!select) return true;
        const scope = new Scope(outer);
        this.#assign(loopvar, item, scope);
        return isTrue(this.#value(select.test, scope));
      },
    );
    if (items.length === 0) return this.render(defaultBlock, outer);
    let text = '';
    for (const [index, item] of items.entries()) {
      // An empty body has no step of its own.
      this.#steps++;
      const scope = new Scope(outer);
      scope.set('loop', new Loop(items, index));
      this.#assign(loopvar, item, scope);
      const { part, isLast } = this.#iteration(body, scope);
      text += part;
      this.#check(text.length);
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
      const object = this.#value(target.object, scope);
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
          scope.set(name, this.#value(parameter.value, scope));
        else scope.set(name, new Undefined(name));
      });
      const caller = rest.get('caller');
      if (caller !== undefined) scope.set('caller', caller);
      scope.set('varargs', Tuple.from(args.slice(names.length)));
      scope.set('kwargs', new Map(rest));
      return this.render(body, scope);
    });
  }

  #value(node: Node, scope: Scope): Value {
    this.#steps++;
    switch (node.type) {
      case 'Identifier':
        return scope.get(node.value);
      case 'StringLiteral':
      case 'IntegerLiteral':
        return node.value;
      case 'FloatLiteral':
        return new Float(node.value);
      case 'ArrayLiteral':
        return node.value.map((item) => this.#value(item, scope));
      case 'TupleLiteral':
        return Tuple.from(node.value.map((item) => this.#value(item, scope)));
      case 'ObjectLiteral':
        return new Map(
          [...node.value].map(([key, its]) => [this.#value(key, scope), this.#value(its, scope)]),
        );
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'CallExpression':
        return this.#call(node, scope);
      case 'UnaryExpression':
        return this.#unary(node.operator.value, this.#value(node.argument, scope));
      case 'BinaryExpression':
        return this.#binary(node, scope);
      case 'FilterExpression':
        return this.#filter(this.#value(node.operand, scope), node.filter, scope);
      case 'TestExpression':
        return passes(node.test.value, this.#value(node.operand, scope)) !== node.negate;
      case 'SelectExpression':
        return isTrue(this.#value(node.test, scope))
          ? this.#value(node.lhs, scope)
          : new Undefined();
      case 'Ternary':
        return this.#value(
          isTrue(this.#value(node.condition, scope)) ? node.trueExpr : node.falseExpr,
          scope,
        );
      default:
        throw new TemplateFault(`${node.type} is no expression`);
    }
  }

  #unary(operator: string, value: Value): Value {
    if (operator === 'not') return !isTrue(value);
    return operator === '-' ? negative(value) : value;
  }

  #binary(node: Node & { type: 'BinaryExpression' }, scope: Scope): Value {
    const left = this.#value(node.left, scope);
    const operator = node.operator.value;
    if (operator === 'and') return isTrue(left) ? this.#value(node.right, scope) : left;
    if (operator === 'or') return isTrue(left) ? left : this.#value(node.right, scope);
    return this.#checked(operate(operator, left, this.#value(node.right, scope)));
  }

  #member(
    { object, property, computed }: Node & { type: 'MemberExpression' },
    scope: Scope,
  ): Value {
    const whole = this.#value(object, scope);
    if (property.type === 'SliceExpression') return this.#slice(whole, property, scope);
    if (computed) return memberOf(whole, this.#value(property, scope), 'item');
    const name = property.type === 'Identifier' ? property.value : this.#value(property, scope);
    return memberOf(whole, name, 'attribute');
  }

  #slice(whole: Value, { start, stop, step }: Slice, scope: Scope): Value {
    const place = (node: Node | undefined) =>
      node ? numberOf(this.#value(node, scope)) : undefined;
    return sliceOf(whole, place(start), place(stop), place(step));
  }

  #filter(value: Value, filter: Identifier | Call, scope: Scope): Value {
    const member = (each: Value, name: Value) => memberOf(each, name, 'item');
    if (filter.type === 'Identifier') return filtered(filter.value, value, [], new Map(), member);
    const { args, named } = this.#arguments(filter.args, scope);
    const name = filter.callee.type === 'Identifier' ? filter.callee.value : '';
    return this.#checked(filtered(name, value, args, named, member));
  }

  #call({ callee, args: nodes }: Call, scope: Scope, more: Arguments = new Map()): Value {
    const called = this.#value(callee, scope);
    const { args, named } = this.#arguments(nodes, scope);
    if (called instanceof Callable)
      return this.#checked(called.call(args, new Map([...named, ...more])));
    const name =
      callee.type === 'Identifier'
        ? callee.value
        : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
          ? callee.property.value
          : 'this';
    throw new TemplateFault(
      called instanceof Undefined ? `'${name}' is undefined` : `'${name}' is not callable`,
    );
  }

  #arguments(nodes: readonly Node[], scope: Scope): { args: Value[]; named: Arguments } {
    const args: Value[] = [];
    const named: Arguments = new Map();
    for (const node of nodes) {
      if (node.type === 'KeywordArgumentExpression')
        named.set(node.key.value, this.#value(node.value, scope));
      else if (node.type === 'SpreadExpression')
        args.push(...itemsOf(this.#value(node.argument, scope)));
      else if (node.type === 'KeywordSpreadExpression') {
        const all = this.#value(node.argument, scope);
        if (all instanceof Map) for (const [key, its] of all) named.set(str(key), its);
      } else args.push(this.#value(node, scope));
    }
    return { args, named };
  }
}
