// A packet checker for a small bus, with the test bench that feeds it.
`timescale 1ns / 1ps

package bus_types;
  typedef enum logic [1:0] {IDLE, HEADER, PAYLOAD, CHECK} state_t;
  typedef struct packed {
    logic [3:0] target;
    logic [3:0] length;
  } header_t;
  localparam int MAX_LENGTH = 8;
endpackage

module crc8 #(parameter [7:0] POLY = 8'h07) (
    input  logic       clk,
    input  logic       clear,
    input  logic       enable,
    input  logic [7:0] data,
    output logic [7:0] crc
);
  function automatic [7:0] step(input [7:0] value);
    integer k;
    begin
      step = value;
      for (k = 0; k < 8; k = k + 1)
        step = step[7] ? (step << 1) ^ POLY : step << 1;
    end
  endfunction

  always @(posedge clk)
    if (clear) crc <= 8'h00;
    else if (enable) crc <= step(crc ^ data);
endmodule

module checker_unit
  import bus_types::*;
(
    input  logic       clk,
    input  logic       reset,
    input  logic       valid,
    input  logic [7:0] data,
    output logic       good,
    output logic       bad,
    output logic [15:0] accepted
);
  state_t     state;
  header_t    header;
  logic [3:0] left;
  logic [7:0] crc;
  wire        take = valid && (state == HEADER || state == PAYLOAD);

  crc8 #(.POLY(8'h2f)) sum (.clk(clk), .clear(reset || state == IDLE), .enable(take),
                            .data(data), .crc(crc));

  always @(posedge clk) begin
    good <= 1'b0;
    bad  <= 1'b0;
    if (reset) begin
      state    <= IDLE;
      accepted <= 16'd0;
    end else begin
      case (state)
        IDLE: if (valid && data == 8'ha5) state <= HEADER;
        HEADER:
        if (valid) begin
          header <= data;
          left   <= data[3:0];
          state  <= data[3:0] == 0 ? CHECK : PAYLOAD;
        end
        PAYLOAD:
        if (valid) begin
          left <= left - 4'd1;
          if (left == 4'd1) state <= CHECK;
        end
        CHECK:
        if (valid) begin
          good     <= data == crc;
          bad      <= data != crc;
          accepted <= accepted + (data == crc);
          state    <= IDLE;
        end
      endcase
    end
  end
endmodule

class Packet;
  int target;
  int bytes;
  int parity;

  function new(int to);
    target = to;
  endfunction

  function void add(int value);
    bytes = bytes + 1;
    parity = parity ^ (value & 255);
  endfunction

  function int size();
    return bytes;
  endfunction
endclass

module bench;
  import bus_types::*;

  logic clk = 1'b0, reset = 1'b1, valid = 1'b0;
  logic [7:0] data = 8'h00;
  wire good, bad;
  wire [15:0] accepted;
  int sent[$];
  int log[$];
  Packet packet;
  integer seed = 42, i, errors = 0;
  string title;

  checker_unit dut (.clk(clk), .reset(reset), .valid(valid), .data(data),
                    .good(good), .bad(bad), .accepted(accepted));

  always #5 clk = ~clk;

  task automatic send(input [7:0] value);
    begin
      @(negedge clk);
      valid = 1'b1;
      data  = value;
      sent.push_back(value);
      @(negedge clk);
      valid = 1'b0;
    end
  endtask

  always @(posedge clk)
    if (bad) begin
      errors = errors + 1;
      log.push_back($time);
    end

  initial begin
    title = {"bus", " ", "check"};
    repeat (3) @(posedge clk);
    reset  = 1'b0;
    packet = new(3);
    for (i = 0; i < MAX_LENGTH - 2; i = i + 1) packet.add($random(seed));
    send(8'ha5);
    send({packet.target[3:0], 4'd6});
    for (i = 0; i < packet.size(); i = i + 1) send(packet.parity + i);
    send(8'h00);
    repeat (4) @(posedge clk);
    $display("%s: %0d sent, %0d accepted, %0d errors", title, sent.size(), accepted, errors);
    if (log.size() > 2) $display("first errors: %p", log[0:1]);
    $finish;
  end

  initial begin
    #10000 $display("no end after %0t", $time);
    $finish;
  end
endmodule
