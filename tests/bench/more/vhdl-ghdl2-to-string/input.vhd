-- A measuring clock: counts the edges of an input within a window, keeps the last results in a small memory, and
-- sends them over a serial line. The test bench at the end prints what it measured.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package clock_settings is

  constant clock_frequency : positive := 12_000_000;
  constant baud_rate       : positive := 115_200;
  constant window_seconds  : real     := 0.25;
  constant result_bits     : positive := 24;
  constant results_kept    : positive := 8;

  subtype result is unsigned(result_bits - 1 downto 0);
  type results is array (natural range <>) of result;

  type settings is record
    window  : positive;
    divider : positive;
    banner  : string(1 to 4);
  end record settings;

  function cycles (frequency : positive; seconds : real) return positive;
  function divider (frequency, rate : positive) return positive;
  function "+" (left : result; right : boolean) return result;

  constant usual : settings := (
    window  => cycles(clock_frequency, window_seconds),
    divider => divider(clock_frequency, baud_rate),
    banner  => "mclk"
  );

  constant title : string := usual.banner & ": " & to_string(window_seconds, 3) & " s";

end package clock_settings;

package body clock_settings is

  function cycles (frequency : positive; seconds : real) return positive is
    variable exact : real;
  begin
    exact := real(frequency) * seconds;
    assert exact >= 1.0 report "the window is shorter than a cycle" severity failure;
    return positive(exact);
  end function cycles;

  function divider (frequency, rate : positive) return positive is
  begin
    return (frequency + rate / 2) / rate;
  end function divider;

  function "+" (left : result; right : boolean) return result is
  begin
    if right then
      return left + 1;
    end if;
    return left;
  end function "+";

end package body clock_settings;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.clock_settings.all;

entity edge_counter is
  generic (
    window : positive := usual.window
  );
  port (
    clock  : in  std_logic;
    reset  : in  std_logic;
    signal_in : in  std_logic;
    count  : out result;
    ready  : out std_logic
  );
end entity edge_counter;

architecture rtl of edge_counter is
  signal synchronized : std_logic_vector(2 downto 0);
  signal running      : result;
  signal elapsed      : natural range 0 to window - 1;
  alias is_new : std_logic is synchronized(1);
  alias is_old : std_logic is synchronized(2);
begin

  synchronize : process (clock) is
  begin
    if rising_edge(clock) then
      synchronized <= synchronized(1 downto 0) & signal_in;
    end if;
  end process synchronize;

  measure : process (clock) is
  begin
    if rising_edge(clock) then
      ready <= '0';
      if reset = '1' then
        running <= (others => '0');
        elapsed <= 0;
      elsif elapsed = window - 1 then
        count   <= running + (is_new = '1' and is_old = '0');
        running <= (others => '0');
        elapsed <= 0;
        ready   <= '1';
      else
        running <= running + (is_new = '1' and is_old = '0');
        elapsed <= elapsed + 1;
      end if;
    end if;
  end process measure;

end architecture rtl;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.clock_settings.all;

entity serial_line is
  generic (
    divider : positive := usual.divider
  );
  port (
    clock : in  std_logic;
    reset : in  std_logic;
    octet : in  std_logic_vector(7 downto 0);
    start : in  std_logic;
    busy  : out std_logic;
    line  : out std_logic
  );
end entity serial_line;

architecture rtl of serial_line is
  type state is (idle, sending, pausing);
  signal current   : state;
  signal shift     : std_logic_vector(8 downto 0);
  signal remaining : natural range 0 to 9;
  signal waiting   : natural range 0 to divider - 1;
begin

  busy <= '0' when current = idle else '1';
  line <= shift(0);

  send : process (clock) is
  begin
    if rising_edge(clock) then
      if reset = '1' then
        current <= idle;
        shift   <= (others => '1');
      else
        case current is
          when idle =>
            if start = '1' then
              shift     <= octet & '0';
              remaining <= 9;
              waiting   <= divider - 1;
              current   <= sending;
            end if;
          when sending =>
            if waiting > 0 then
              waiting <= waiting - 1;
            elsif remaining > 0 then
              shift     <= '1' & shift(8 downto 1);
              remaining <= remaining - 1;
              waiting   <= divider - 1;
            else
              current <= pausing;
            end if;
          when pausing =>
            current <= idle;
        end case;
      end if;
    end if;
  end process send;

end architecture rtl;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.clock_settings.all;

entity measuring_clock is
  generic (
    window : positive := usual.window
  );
  port (
    clock, reset, signal_in : in std_logic;
    line : out std_logic;
    mean : out result
  );
end entity measuring_clock;

architecture structure of measuring_clock is
  signal count      : result;
  signal ready      : std_logic;
  signal busy       : std_logic;
  signal start      : std_logic;
  signal kept       : results(0 to results_kept - 1);

  function mean_of (all_of : results) return result is
    variable total : unsigned(result_bits + 7 downto 0) := (others => '0');
  begin
    for index in all_of'range loop
      total := total + all_of(index);
    end loop;
    return resize(total / all_of'length, result_bits);
  end function mean_of;
begin

  counter : entity work.edge_counter
    generic map (window => window)
    port map (clock, reset, signal_in, count => count, ready => ready);

  keep : process (clock) is
  begin
    if rising_edge(clock) then
      if ready = '1' then
        kept <= count & kept(0 to kept'high - 1);
      end if;
    end if;
  end process keep;

  mean  <= mean_of(kept);
  start <= ready and not busy;

  output : entity work.serial_line
    port map (clock => clock, reset => reset, octet => std_logic_vector(count(7 downto 0)), start => start,
              busy => busy, line => line);

end architecture structure;

use std.textio.all;
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.clock_settings.all;

entity test_bench is
end entity test_bench;

architecture simulation of test_bench is
  constant period : time := 1 sec / clock_frequency;
  signal clock, reset, square, line : std_logic := '0';
  signal mean : result;
  signal done : boolean := false;
begin

  clock  <= not clock after period / 2 when not done;
  square <= not square after 5 * period when not done;
  reset  <= '1', '0' after 3 * period;

  tested : entity work.measuring_clock
    generic map (window => 100)
    port map (clock, reset, square, line, mean);

  watch : process is
    variable text : work.clock_settings.settings := usual;
    variable output_line : std.textio.line;
  begin
    write(output_line, title);
    writeline(output, output_line);
    for round in 1 to results_kept loop
      wait for 100 * period;
      report to_string(round) & ": " & to_hstring(mean) severity note;
    end loop;
    assert mean = 10 report "ten edges expected, found " & integer'image(to_integer(mean)) severity error;
    done <= true;
    wait;
  end process watch;

end architecture simulation;
