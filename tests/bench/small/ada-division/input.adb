with Ada.Text_IO; use Ada.Text_IO;
with Ada.Strings.Unbounded;

procedure A is

   type Color is (Red, Green, Blue);

   type Item is record
      Price : Integer;
      Count : Natural := 0;
      Kind  : Color;
   end record;

   type Items is array (Positive range <>) of Item;

   function Total (List : Items) return Integer is
      Sum : Integer := 0;
   begin
      for I in List'Range loop
         Sum := Sum + List (I).Price * List (I).Count;
      end loop;
      return Sum;
   end Total;

   function Average (List : Items) return Integer is
      Number : Natural := 0;
   begin
      for I in List'Range loop
         Number := Number + List (I).Count;
      end loop;
      return Total (List) / Number;
   end Average;

   procedure Show (Title : String; Value : Integer) is
   begin
      Put_Line (Title & Integer'Image (Value));
   end Show;

   Stock : constant Items := ((3, 0, Red), (7, 0, Blue));
begin
   Show ("total", Total (Stock));
   Show ("average", Average (Stock));
end A;
