// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// @title Orders signed off chain, and filled against tokens that the exchange holds.

interface IToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

struct Order {
    address maker;
    address sellToken;
    address buyToken;
    uint256 sellAmount;
    uint256 buyAmount;
    uint64 expiry;
    uint64 nonce;
}

struct Fill {
    uint256 sold;
    uint256 bought;
    bool cancelled;
}

library Math {
    error DivisionByZero();

    function mulDiv(uint256 a, uint256 b, uint256 c) internal pure returns (uint256) {
        if (c == 0) revert DivisionByZero();
        return (a * b) / c;
    }

    function min(uint256 a, uint256 b) internal pure returns (uint256) {
        return a < b ? a : b;
    }
}

library Orders {
    bytes32 internal constant TYPE = keccak256("Order(address maker,uint256 sellAmount,uint256 buyAmount)");

    function hash(Order memory order) internal pure returns (bytes32) {
        return keccak256(abi.encode(TYPE, order.maker, order.sellAmount, order.buyAmount, order.nonce));
    }

    function isLive(Order calldata order) internal view returns (bool) {
        // solhint-disable-next-line not-rely-on-time
        return order.maker != address(0) && order.expiry > block.timestamp;
    }

    function price(Order memory order) internal pure returns (uint256) {
        return Math.mulDiv(order.buyAmount, 1e18, order.sellAmount);
    }
}

abstract contract Owned {
    address public owner;
    mapping(address => bool) public guardians;

    event OwnerChanged(address indexed before, address indexed current);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    modifier onlyGuardian() virtual {
        require(guardians[msg.sender] || msg.sender == owner, "not a guardian");
        _;
    }

    constructor() {
        owner = msg.sender;
        emit OwnerChanged(address(0), msg.sender);
    }

    function setOwner(address next) external onlyOwner {
        require(next != address(0));
        emit OwnerChanged(owner, next);
        owner = next;
    }
}

contract Exchange is Owned {
    using Orders for Order;
    using Math for uint256;

    enum State { Closed, Open, Paused }

    State public state = State.Closed;
    uint16 public feeBasisPoints = 25;
    mapping(bytes32 => Fill) public fills;
    mapping(address => mapping(address => uint256)) private _balances;
    address[] private _tokens;

    event Deposited(address indexed who, address indexed token, uint256 value);
    event Filled(bytes32 indexed hash, address indexed taker, uint256 sold, uint256 bought);

    error Expired(uint64 expiry);
    error Insufficient(uint256 needed, uint256 available);

    constructor(address[] memory tokens) {
        for (uint256 i = 0; i < tokens.length; i++) {
            _tokens.push(tokens[i]);
        }
        state = State.Open;
    }

    receive() external payable {
        _balances[msg.sender][address(0)] += msg.value;
    }

    function deposit(address token, uint256 value) external returns (uint256 balance) {
        require(IToken(token).transferFrom(msg.sender, address(this), value), "no transfer");
        balance = _balances[msg.sender][token] += value;
        emit Deposited(msg.sender, token, value);
    }

    function withdraw(address token, uint256 value) external {
        uint256 available = _balances[msg.sender][token];
        if (available < value) revert Insufficient({needed: value, available: available});
        unchecked {
            _balances[msg.sender][token] = available - value;
        }
        if (token == address(0)) {
            (bool sent, ) = msg.sender.call{value: value}("");
            require(sent);
        } else {
            IToken(token).transfer(msg.sender, value);
        }
    }

    function fill(Order calldata order, uint256 wanted) external returns (uint256 sold) {
        require(state == State.Open, "not open");
        if (!order.isLive()) revert Expired(order.expiry);
        bytes32 key = order.hash();
        Fill storage done = fills[key];
        require(!done.cancelled, "cancelled");
        sold = wanted.min(order.sellAmount - done.sold);
        uint256 bought = sold.mulDiv(order.price(), 1e18);
        done.sold += sold;
        done.bought += bought;
        _move(order.sellToken, order.maker, msg.sender, sold);
        _move(order.buyToken, msg.sender, order.maker, bought - fee(bought));
        emit Filled(key, msg.sender, sold, bought);
    }

    function cancel(Order memory order) external {
        require(order.maker == msg.sender, "not yours");
        fills[order.hash()].cancelled = true;
    }

    function pause(bool paused) external onlyGuardian {
        state = paused ? State.Paused : State.Open;
    }

    function fee(uint256 value) public view returns (uint256) {
        return value.mulDiv(feeBasisPoints, 10_000);
    }

    function codeSize(address account) external view returns (uint256 size) {
        assembly {
            size := extcodesize(account)
        }
    }

    function _move(address token, address from, address to, uint256 value) private {
        _balances[from][token] -= value;
        _balances[to][token] += value;
    }
}
