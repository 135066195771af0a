%% Keeps the stations of a bus line, and answers where the next bus is.
-module(timetable).
-behaviour(gen_server).

-export([start_link/1, stop/0, next/2, delay/2, cancel/1, stations/0, report/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-include_lib("kernel/include/logger.hrl").

-define(SERVER, ?MODULE).
-define(DAY, 24 * 60).
-define(TICK, timer:seconds(30)).

-record(station, {name :: binary(), zone = 1 :: pos_integer(), offset = 0 :: non_neg_integer()}).
-record(trip, {id :: integer(), departs :: 0..1439, late = 0 :: integer(), state = planned}).
-record(line, {
    number :: binary(),
    stations = [] :: [#station{}],
    trips = #{} :: #{integer() => #trip{}},
    clock = fun minutes/0 :: fun(() -> integer()),
    warned = sets:new() :: sets:set()
}).

-type place() :: binary() | {zone, pos_integer()}.
-export_type([place/0]).

start_link(Options) ->
    gen_server:start_link({local, ?SERVER}, ?MODULE, Options, []).

stop() ->
    gen_server:stop(?SERVER).

-spec next(place(), integer()) -> {ok, integer(), integer()} | none.
next(Place, From) ->
    gen_server:call(?SERVER, {next, Place, From}).

delay(Trip, Minutes) when is_integer(Minutes) ->
    gen_server:cast(?SERVER, {delay, Trip, Minutes}).

cancel(Trip) ->
    gen_server:cast(?SERVER, {cancel, Trip}).

stations() ->
    gen_server:call(?SERVER, stations).

%% Writes the day into a file and returns how the first line of its head looks.
report(File) ->
    Trips = gen_server:call(?SERVER, trips),
    Body = [row(Trip) || Trip <- lists:keysort(#trip.departs, Trips)],
    case file:write_file(File, [header(), Body]) of
        ok -> heading(<<"timetable">>, filelib:file_size(File));
        {error, Reason} -> {error, file:format_error(Reason)}
    end.

init(Options) ->
    process_flag(trap_exit, true),
    Number = proplists:get_value(number, Options, <<"1">>),
    Stations = lists:foldl(fun add_station/2, [], proplists:get_value(stations, Options, [])),
    First = proplists:get_value(first, Options, 5 * 60),
    Every = proplists:get_value(every, Options, 20),
    erlang:send_after(?TICK, self(), tick),
    {ok, #line{
        number = Number,
        stations = lists:reverse(Stations),
        trips = maps:from_list([{Id, #trip{id = Id, departs = At}} || {Id, At} <- plan(First, Every)])
    }}.

plan(First, Every) ->
    Times = lists:seq(First, ?DAY - 1, Every),
    lists:zip(lists:seq(1, length(Times)), Times).

add_station({Name, Minutes}, []) ->
    [#station{name = Name, offset = Minutes}];
add_station({Name, Minutes}, [#station{offset = Before, zone = Zone} | _] = Known) ->
    [#station{name = Name, offset = Before + Minutes, zone = zone(Zone, length(Known))} | Known].

zone(Zone, Count) when Count rem 3 =:= 0 -> Zone + 1;
zone(Zone, _) -> Zone.

handle_call({next, Place, From}, _Client, #line{stations = Stations} = Line) ->
    case [Station || Station <- Stations, is_at(Place, Station)] of
        [] -> {reply, none, Line};
        [#station{offset = Offset} | _] -> {reply, soonest(Offset, From, Line), Line}
    end;
handle_call(stations, _Client, #line{stations = Stations} = Line) ->
    {reply, [Name || #station{name = Name} <- Stations], Line};
handle_call(trips, _Client, #line{trips = Trips} = Line) ->
    {reply, maps:values(Trips), Line};
handle_call(Request, {Pid, _}, Line) ->
    ?LOG_WARNING("~p asked for ~p", [Pid, Request]),
    {reply, {error, unknown}, Line}.

handle_cast({delay, Id, Minutes}, #line{trips = Trips} = Line) ->
    case Trips of
        #{Id := #trip{late = Late} = Trip} ->
            {noreply, Line#line{trips = Trips#{Id := Trip#trip{late = Late + Minutes}}}};
        #{} ->
            {noreply, warn(Id, Line)}
    end;
handle_cast({cancel, Id}, #line{trips = Trips} = Line) when is_map_key(Id, Trips) ->
    Cancel = fun(Trip) -> Trip#trip{state = cancelled} end,
    {noreply, Line#line{trips = maps:update_with(Id, Cancel, Trips)}};
handle_cast({cancel, Id}, Line) ->
    {noreply, warn(Id, Line)}.

handle_info(tick, #line{trips = Trips, clock = Clock} = Line) ->
    Now = Clock(),
    Gone = maps:map(
        fun
            (_, #trip{departs = At, late = Late, state = planned} = Trip) when At + Late < Now ->
                Trip#trip{state = gone};
            (_, Trip) ->
                Trip
        end,
        Trips
    ),
    erlang:send_after(?TICK, self(), tick),
    {noreply, Line#line{trips = Gone}};
handle_info({'EXIT', _Pid, normal}, Line) ->
    {noreply, Line}.

terminate(_Reason, #line{number = Number}) ->
    ?LOG_INFO("line ~ts stops", [Number]).

warn(Id, #line{warned = Warned} = Line) ->
    case sets:is_element(Id, Warned) of
        true ->
            Line;
        false ->
            ?LOG_WARNING("no trip ~p", [Id]),
            Line#line{warned = sets:add_element(Id, Warned)}
    end.

is_at({zone, Zone}, #station{zone = Zone}) -> true;
is_at(Name, #station{name = Name}) -> true;
is_at(_, _) -> false.

soonest(Offset, From, #line{trips = Trips}) ->
    Waits = maps:fold(
        fun
            (_, #trip{state = cancelled}, Waits) -> Waits;
            (Id, #trip{departs = At, late = Late}, Waits) when At + Late + Offset >= From ->
                [{At + Late + Offset - From, Id} | Waits];
            (_, _, Waits) -> Waits
        end,
        [],
        Trips
    ),
    case lists:sort(Waits) of
        [{Wait, Id} | _] -> {ok, Id, Wait};
        [] -> none
    end.

header() ->
    io_lib:format("~-6s~-8s~s~n", ["trip", "departs", "state"]).

row(#trip{id = Id, departs = At, late = Late, state = State}) ->
    {Hour, Minute} = {(At + Late) div 60 rem 24, (At + Late) rem 60},
    io_lib:format("~-6w~2..0w:~2..0w   ~s~n", [Id, Hour, Minute, State]).

%% The parts of the head, the widest one first.
heading(Title, Size) ->
    first([{title, {Title, Size}}, {size, Size}, {date, date()}]).

first([Part | _Rest]) -> shown(Part).

shown({Name, 42}) -> Name;
shown({title, {Title, _Size}}) -> {bold, 42, Title}.

minutes() ->
    {Hour, Minute, _} = time(),
    Hour * 60 + Minute.
