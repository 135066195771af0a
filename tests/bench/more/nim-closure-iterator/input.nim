## Plans who waters which plants of a shared garden, and prints the plan of a week.

import std/[algorithm, options, sequtils, strutils, tables]

type
  WeekDay = enum
    dMon = "Monday", dTue = "Tuesday", dWed = "Wednesday", dThu = "Thursday", dFri = "Friday", dSat = "Saturday",
    dSun = "Sunday"
  Thirst = enum
    little, usual, much
  Place = object
    row, column: int
  Plant = ref object
    name: string
    place: Place
    case perennial: bool
    of true:
      since: int
    of false:
      sown: tuple[year, month, day: int]
    thirst: Thirst
  Gardener = object
    name: string
    free: set[WeekDay]
    litres: float
  Task = tuple
    day: WeekDay
    gardener: string
    plant: string
  Garden = object
    plants: seq[Plant]
    gardeners: OrderedTable[string, Gardener]
    rain: array[WeekDay, float]
  PlanError = object of CatchableError

const
  litresFor: array[Thirst, float] = [0.5, 1.5, 4.0]
  enoughRain = 6.0

proc `$`(place: Place): string =
  chr(ord('A') + place.row) & $(place.column + 1)

proc `<`(a, b: Place): bool =
  (a.row, a.column) < (b.row, b.column)

func needs(plant: Plant): float =
  result = litresFor[plant.thirst]
  if plant.perennial:
    result = result / 2

proc parsePlace(text: string): Place =
  if text.len < 2 or text[0] notin {'A' .. 'Z'}:
    raise newException(PlanError, "not a place: " & text)
  Place(row: ord(text[0]) - ord('A'), column: parseInt(text[1 .. ^1]) - 1)

proc parsePlant(line: string): Option[Plant] =
  let parts = line.splitWhitespace
  if parts.len != 4:
    return none(Plant)
  let thirst = parseEnum[Thirst](parts[2], usual)
  some(
    if parts[3].startsWith("since-"):
      Plant(name: parts[0], place: parsePlace(parts[1]), thirst: thirst, perennial: true,
            since: parseInt(parts[3][6 .. ^1]))
    else:
      let date = parts[3].split('-').map(parseInt)
      Plant(name: parts[0], place: parsePlace(parts[1]), thirst: thirst, perennial: false,
            sown: (date[0], date[1], date[2])))

proc read(garden: var Garden; text: string) =
  for number, line in toSeq(text.splitLines):
    if line.isEmptyOrWhitespace or line.startsWith('#'):
      continue
    let plant = parsePlant(line)
    if plant.isSome:
      garden.plants.add plant.get
    else:
      raise newException(PlanError, "line " & $(number + 1) & ": " & line)
  garden.plants.sort(proc (a, b: Plant): int = cmp((a.place.row, a.place.column), (b.place.row, b.place.column)))

iterator dryDays(garden: Garden): WeekDay =
  for day in WeekDay:
    if garden.rain[day] < enoughRain:
      yield day

proc tasks(garden: Garden; first = dMon): iterator (): Task =
  ## The tasks in their order: every dry day, each plant once, as long as somebody has water left.
  var left = initTable[string, float]()
  for name, gardener in garden.gardeners:
    left[name] = gardener.litres

  iterator onDay(day: WeekDay; plants: seq[Plant]): Task {.closure.} =
    for plant in plants:
      let need = plant.needs
      for name, gardener in garden.gardeners:
        if day in gardener.free and left[name] >= need:
          left[name] -= need
          yield (day, name, plant.name)
          break

  result = iterator (): Task =
    for day in garden.dryDays:
      if day < first:
        continue
      let thirsty = garden.plants.filterIt(it.thirst > little or day in {dMon, dThu})
      for task in onDay(day, thirsty):
        yield task

proc columnWidth(names: openArray[string]): int =
  for name in names:
    result = max(result, name.len)

proc show(garden: Garden) =
  let width = columnWidth(toSeq(garden.gardeners.keys))
  var
    last = none(WeekDay)
    count = initCountTable[string]()
  let next = garden.tasks
  for task in next():
    if last != some(task.day):
      echo task.day, ":"
      last = some(task.day)
    echo "  ", alignLeft(task.gardener, width), "  ", task.plant
    count.inc task.gardener
  count.sort
  for name, times in count:
    echo name, " waters ", times, " times"

when isMainModule:
  var garden = Garden(rain: [0.0, 2.5, 7.0, 0.0, 12.0, 1.0, 0.0])
  for (name, litres, free) in {"Ida": (40.0, {dMon, dTue}), "Jonas": (25.5, {dWed .. dFri}),
                               "Mira": (60.0, {dSat, dSun})}.mapIt((it[0], it[1][0], it[1][1])):
    garden.gardeners[name] = Gardener(name: name, free: free, litres: litres)
  try:
    garden.read """
# name     place  thirst  since or sown
tomato     A1     much    2026-04-11
sage       A2     little  since-2019
rhubarb    B1     usual   since-2021
bean       B3     usual   2026-05-02
"""
    garden.show
  except PlanError as error:
    quit error.msg
