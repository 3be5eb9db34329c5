/* The connection: what is asked is done once, and a dead line is noticed. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { World } from "./world.js";

let world, server, offline, heard, pongs;

async function begin() {
  world = new World();
  const { connection } = await import("../../bot/chats/web/static/connection.js");
  [offline, heard, pongs] = [[], [], []];
  server = connection({
    about: () => ({ theme: "light" }),
    heard: (message) => {
      heard.push(message);
      if (message.kind === "state") server.opened();
      if (message.kind === "answer") server.answered(message.id);
    },
    offline: () => offline.push(world.now),
    beaten: (pong) => pongs.push(pong),
  });
  server.connect();
  open();
}

function open(socket = world.socket) {
  socket.onopen();
  world.say({ kind: "state" }, socket);
}

const kinds = (socket = world.socket) => socket.sent.map((frame) => frame.kind);
const pings = (socket) => kinds(socket).filter((kind) => kind === "ping").length;

beforeEach(begin);

test("a page in view that hears nothing pings, and an answer keeps the line", () => {
  world.pass(14_999);
  assert.equal(pings(), 0);
  world.pass(1);
  assert.equal(pings(), 1);
  world.say({ kind: "pong", id: world.socket.sent.at(-1).id, left: {} });
  assert.equal(pongs.length, 1);
  world.pass(14_000);
  assert.equal(world.sockets.length, 1);
  assert.deepEqual(offline, []);
});

test("a dead line is noticed within twenty seconds, and a new one is opened", () => {
  world.pass(20_000);
  assert.equal(world.sockets.length, 2);
  assert.equal(world.sockets[0].closed, true);
  assert.ok(offline[0] <= 20_000);
});

test("a page out of view pings nobody", () => {
  world.document.hidden = true;
  world.say({ kind: "talk" });
  world.pass(600_000);
  assert.equal(pings(), 0);
  assert.equal(world.sockets.length, 1);
});

test("with a request waiting a dead line is noticed within eight seconds, and the request goes out once more", () => {
  world.pass(9_000);
  server.act({ kind: "press", code: "a" });
  const asked = world.now, { id } = world.socket.sent.at(-1);
  world.pass(8_000);
  assert.equal(world.sockets.length, 2);
  assert.ok(offline[0] - asked <= 8_000);
  open();
  const again = world.socket.sent.filter((frame) => frame.kind === "press");
  assert.deepEqual(again.map((frame) => frame.id), [id]);
  world.say({ kind: "answer", id });
  world.pass(60_000);
  assert.equal(world.sockets.slice(1).flatMap((one) => kinds(one)).filter((kind) => kind === "press").length, 1);
});

test("a request that takes long is no dead line while the server answers", () => {
  server.act({ kind: "press", code: "a" });
  for (let second = 0, answered = 0; second < 30; second++) {
    world.pass(1000);
    if (pings() > answered) world.say({ kind: "pong", id: "", left: {} });
    answered = pings();
  }
  assert.ok(pings() >= 5);
  assert.equal(world.sockets.length, 1);
});

test("a page that wakes asks at once", () => {
  world.pass(5000);
  world.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(pings(), 1);
  world.pass(4000);
  assert.equal(world.sockets.length, 2);
});

test("after a sleep that no event tells of it asks as well", () => {
  world.pass(5000);
  world.day += 3_600_000;
  world.pass(1000);
  assert.equal(pings(), 1);
  world.pass(2000);
  assert.equal(pings(), 1, "and once");
});

test("a connection that does not open gets others beside it, and the first that opens is kept", () => {
  world.socket.onclose({ code: 1006 });
  world.pass(400);
  const first = world.socket;
  world.pass(2600);
  const second = world.socket;
  assert.notEqual(first, second);
  assert.equal(first.closed, false);
  open(first);
  assert.equal(second.closed, true);
  assert.equal(server.ready(), true);
  world.pass(3000);
  assert.equal(world.sockets.length, 3);
});

test("however long none opens, four at most are under way", () => {
  world.socket.onclose({ code: 1006 });
  world.pass(60_000);
  assert.ok(world.sockets.slice(1).filter((one) => !one.closed).length <= 4);
});

test("a connection that opens and brings no state is given up", () => {
  world.socket.onclose({ code: 1006 });
  world.pass(400);
  world.socket.onopen();
  world.pass(8000);
  assert.equal(world.sockets.length, 3);
});

test("a refused connection is tried again, ever more rarely", () => {
  const waits = [];
  for (let count = 0; count < 10; count++) {
    world.socket.onclose({ code: 1006 });
    const refused = world.now, before = world.sockets.length;
    while (world.sockets.length === before) world.pass(50);
    waits.push(world.now - refused);
  }
  assert.ok(waits[0] <= 400);
  assert.ok(waits[9] >= 7500 && waits[9] <= 12_550);
});
