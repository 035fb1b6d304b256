-- 64-bit integers: small ones are numbers, others n(a,b,c) of 20, 22 and 22 bits.
local small = 16777216
local least = math.mininteger

local function value(s)
  if s.type == clingo.SymbolType.Number then return s.number end
  if s.type ~= clingo.SymbolType.Function then return nil end
  local a = s.arguments
  return a[1].number << 44 | a[2].number << 22 | a[3].number
end

local function symbol(v)
  if -small <= v and v <= small then return clingo.Number(v) end
  local n = clingo.Number
  return clingo.Function("n", {n(v >> 44), n(v >> 22 & 0x3fffff), n(v & 0x3fffff)})
end

-- binary makes a function that has no value where compute has none.
local function binary(compute)
  return function(a, b)
    local x, y = value(a), value(b)
    if x == nil or y == nil then return {} end
    local z = compute(x, y)
    if z == nil then return {} end
    return symbol(z)
  end
end

plus = binary(function(x, y)
  local z = x + y
  if (y >= 0) == (z >= x) then return z end
end)

minus = binary(function(x, y)
  local z = x - y
  if (y >= 0) == (z <= x) then return z end
end)

times = binary(function(x, y)
  if x == 0 or y == 0 then return 0 end
  if x == -1 and y == least or y == -1 and x == least then return nil end
  local z = x * y
  if z // y == x and z % y == 0 then return z end
end)

over = binary(function(x, y)
  if y == 0 or x == least and y == -1 then return nil end
  local z = x // y
  if z < 0 and z * y ~= x then z = z + 1 end
  return z
end)

rest = binary(function(x, y)
  if y == 0 then return nil end
  if y == -1 then return 0 end
  return math.fmod(x, y)
end)

-- compare makes a test of two values of one type: 1, or nothing.
local function compare(holds)
  return function(a, b)
    local x, y = value(a), value(b)
    if x == nil and y == nil then x, y = a.string, b.string end
    if x ~= nil and y ~= nil and holds(x, y) then return clingo.Number(1) end
    return {}
  end
end

less = compare(function(x, y) return x < y end)
most = compare(function(x, y) return x <= y end)
more = compare(function(x, y) return x > y end)
least_of = compare(function(x, y) return x >= y end)

-- Aggregates are clingo's own, over numbers of 32 bits and its order of terms.
local told = false
local function unread(what)
  if not told then io.stderr:write("UNREAD: " .. what .. "\n") end
  told = true
end

function member(a)
  if a.type == clingo.SymbolType.Function then unread("an aggregate over large integers") end
  return a
end

function summand(a)
  if a.type ~= clingo.SymbolType.Number then unread("a sum over strings or large integers") end
  return a
end

function counted(n, most)
  if n.number > most.number then unread("a recursion through a count of many") end
  return clingo.Number(1)
end

function total(a) return symbol(a.number) end
