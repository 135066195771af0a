'use strict';
class TaskError extends Error {
  constructor(task, cause) {
    super(`task ${task.name} failed: ${cause.message}`);
    this.task = task;
  }
}
class Task {
  #deps = new Set();
  static count = 0;
  constructor(name, run, { retries = 0 } = {}) {
    this.name = name;
    this.run = run;
    this.retries = retries;
    Task.count++;
  }
  after(...tasks) {
    for (const task of tasks) this.#deps.add(task);
    return this;
  }
  get deps() {
    return [...this.#deps];
  }
}
class Scheduler {
  constructor() {
    this.done = new Map();
    this.order = [];
  }
  async visit(task, seen = new Set()) {
    if (seen.has(task)) throw new TaskError(task, new Error('cycle'));
    seen.add(task);
    for (const dep of task.deps) await this.visit(dep, seen);
    if (this.done.has(task.name)) return this.done.get(task.name);
    let result;
    for (let attempt = 0; attempt <= task.retries; attempt++) {
      try {
        result = await task.run(task.deps.map((dep) => this.done.get(dep.name)));
        break;
      } catch (error) {
        if (attempt === task.retries) throw new TaskError(task, error);
      }
    }
    this.done.set(task.name, result);
    this.order.push(task.name);
    return result;
  }
}
const load = new Task('load', async () => ({ rows: [1, 2, 3] }));
const clean = new Task('clean', async ([{ rows }]) => rows.filter((n) => n % 2)).after(load);
const sum = new Task('sum', async ([rows, extra]) => rows.reduce((a, b) => a + b, 0) / extra.length, { retries: 1 }).after(clean);
const show = new Task('show', ([total]) => console.log('total', total)).after(sum);
new Scheduler().visit(show).catch((error) => {
  console.error(error.message);
  process.exitCode = 3;
});
