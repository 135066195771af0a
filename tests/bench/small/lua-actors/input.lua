local Actor = {}
Actor.__index = Actor
local actors, inbox = {}, {}

local function class(base)
  local cls = setmetatable({}, { __index = base, __call = function(c, ...)
    local self = setmetatable({}, c)
    if c.init then c.init(self, ...) end
    return self
  end })
  cls.__index = cls
  return cls
end

local Mailbox = class()
function Mailbox:init(limit) self.limit, self.first, self.last = limit or 8, 1, 0 end
function Mailbox:push(message)
  self.last = self.last + 1
  self[self.last] = message
  assert(self:size() <= self.limit, "mailbox is full")
end
function Mailbox:pop()
  local message = self[self.first]
  if message ~= nil then
    self[self.first] = nil
    self.first = self.first + 1
  end
  return message
end
function Mailbox:size() return self.last - self.first + 1 end

local Worker = class(Mailbox)
function Worker:init(name, handlers)
  Mailbox.init(self)
  self.name = name
  self.handlers = handlers
  self.thread = coroutine.wrap(function()
    while true do
      local message = self:pop()
      if message then
        local handler = self.handlers[message.kind]
        if handler then handler(self, table.unpack(message.args)) end
      end
      coroutine.yield(message)
    end
  end)
  actors[#actors + 1] = self
  inbox[name] = self
end

local function send(to, kind, ...)
  inbox[to]:push({ kind = kind, args = { ... } })
end

local function parse(text)
  local out = {}
  for word, number in text:gmatch("(%a+)%s*(%-?%d*)") do
    out[#out + 1] = { word = word, number = tonumber(number) }
  end
  table.sort(out, function(a, b) return a.word < b.word end)
  return out
end

local best = Worker("best", {
  offer = function(self, who, price)
    if not self.price or price > self.price then
      self.price, self.who = price, who
    end
  end,
})
Worker("clerk", {
  read = function(self, text)
    for _, item in ipairs(parse(text)) do
      send("best", "offer", item.word, item.number)
    end
  end,
})
send("clerk", "read", "ale 7, pot 12, vase -, jar 3")
for round = 1, 6 do
  for _, actor in ipairs(actors) do actor.thread() end
end
print(string.format("%s for %d", best.who, best.price))
