--  Reads a day's readings of a few sensors from the standard input, one
--  "sensor value" in each line, and prints what stands out. Values are whole
--  tenths of a degree.

with Ada.Command_Line;
with Ada.Containers.Indefinite_Ordered_Maps;
with Ada.Containers.Vectors;
with Ada.Float_Text_IO;
with Ada.Strings.Fixed;
with Ada.Text_IO;

procedure Input is

   use Ada.Text_IO;

   subtype Hour is Natural range 0 .. 23;
   type Level is (Low, Normal, High, Broken);
   type Reading is record
      At_Hour : Hour  := 0;
      Value   : Integer := 0;
   end record;
   type Limits is array (Level range Low .. High) of Integer;

   package Readings is new Ada.Containers.Vectors (Positive, Reading);
   package Values is new Ada.Containers.Vectors (Positive, Integer);
   package Sensors is new Ada.Containers.Indefinite_Ordered_Maps
     (Key_Type => String, Element_Type => Readings.Vector, "=" => Readings."=");

   use type Values.Vector;

   Usual : constant Limits := [Low => -100, Normal => 250, High => 600];

   No_Sensor : exception;

   --  What a sensor measured is sorted by this.
   function Level_Of (Value : Integer; Bounds : Limits := Usual) return Level is
     (if Value < Bounds (Low) then Broken
      elsif Value < 0 then Low
      elsif Value <= Bounds (Normal) then Normal
      elsif Value <= Bounds (High) then High
      else Broken);

   package Days is
      type Day is tagged private;
      procedure Add (This : in out Day; Sensor : String; Item : Reading);
      function Has (This : Day; Sensor : String) return Boolean;
      function Of_Sensor (This : Day; Sensor : String) return Readings.Vector
        with Pre'Class => Has (This, Sensor);
      function Warm (This : Day; Sensor : String; Above : Integer) return Values.Vector;
      procedure For_Each
        (This : Day; Act : not null access procedure (Sensor : String; All_Of : Readings.Vector));
   private
      type Day is tagged record
         Known : Sensors.Map;
         Count : Natural := 0;
      end record;
   end Days;

   package body Days is

      procedure Add (This : in out Day; Sensor : String; Item : Reading) is
         Place : constant Sensors.Cursor := This.Known.Find (Sensor);
      begin
         if Sensors.Has_Element (Place) then
            This.Known.Reference (Place).Append (Item);
         else
            This.Known.Insert (Sensor, Readings.To_Vector (Item, 1));
         end if;
         This.Count := @ + 1;
      end Add;

      function Has (This : Day; Sensor : String) return Boolean is
        (This.Known.Contains (Sensor));

      function Of_Sensor (This : Day; Sensor : String) return Readings.Vector is
      begin
         return This.Known (Sensor);
      exception
         when Constraint_Error =>
            raise No_Sensor with Sensor;
      end Of_Sensor;

      function Warm (This : Day; Sensor : String; Above : Integer) return Values.Vector is
         Bound    : constant Integer := Integer'Max (Above, Usual (Low));
         Measured : Values.Vector;
      begin
         for Item of This.Of_Sensor (Sensor) loop
            Measured.Append (Item.Value);
         end loop;
         return [for Value of Measured when Value > Bound => Value];
      end Warm;

      procedure For_Each
        (This : Day; Act : not null access procedure (Sensor : String; All_Of : Readings.Vector))
      is
      begin
         for Place in This.Known.Iterate loop
            Act (Sensors.Key (Place), Sensors.Element (Place));
         end loop;
      end For_Each;

   end Days;

   use Days;

   function Average (All_Of : Readings.Vector) return Float is
      Sum : Float := 0.0;
   begin
      for Item of All_Of loop
         Sum := @ + Float (Item.Value);
      end loop;
      return (if All_Of.Is_Empty then 0.0 else Sum / Float (All_Of.Length) / 10.0);
   end Average;

   procedure Read (Into : in out Day) is
      Now : Hour := 0;
   begin
      while not End_Of_File loop
         declare
            Line  : constant String  := Ada.Strings.Fixed.Trim (Get_Line, Ada.Strings.Both);
            Blank : constant Natural := Ada.Strings.Fixed.Index (Line, " ");
         begin
            if Line'Length > 0 and then Line (Line'First) /= '#' then
               Into.Add
                 (Sensor => Line (Line'First .. Blank - 1),
                  Item   => (At_Hour => Now, Value => Integer'Value (Line (Blank + 1 .. Line'Last))));
               Now := (if Now = Hour'Last then 0 else Now + 1);
            end if;
         exception
            when Constraint_Error =>
               Put_Line (Standard_Error, "not a reading: " & Line);
         end;
      end loop;
   end Read;

   procedure Show (Sensor : String; All_Of : Readings.Vector) is
      Counts : array (Level) of Natural := [others => 0];
   begin
      Put (Sensor & ":");
      for Item of All_Of loop
         Counts (Level_Of (Item.Value)) := @ + 1;
      end loop;
      for Grade in Counts'Range loop
         if Counts (Grade) > 0 then
            Put (' ' & Counts (Grade)'Image & ' ' & Grade'Image);
         end if;
      end loop;
      Put (", on average");
      Ada.Float_Text_IO.Put (Average (All_Of), Fore => 4, Aft => 1, Exp => 0);
      New_Line;
   end Show;

   Today : Day;

begin
   Read (Today);
   Today.For_Each (Show'Access);
   for Number in 1 .. Ada.Command_Line.Argument_Count loop
      declare
         Sensor : constant String := Ada.Command_Line.Argument (Number);
      begin
         if Today.Has (Sensor) then
            for Value of reverse Today.Warm (Sensor, Above => Usual (Normal)) loop
               Put_Line (Sensor & " reached" & Value'Image);
            end loop;
         else
            raise No_Sensor with Sensor;
         end if;
      end;
   end loop;
exception
   when No_Sensor =>
      Put_Line (Standard_Error, "there is no such sensor");
      Ada.Command_Line.Set_Exit_Status (Ada.Command_Line.Failure);
end Input;
