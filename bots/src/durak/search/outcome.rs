//! Results of a search for a position.

/// Value of a game between two seats for the searching one, from bad to good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// It is the durak.
    Loss,
    /// There is no durak.
    Draw,
    /// The other seat is.
    Win,
}

impl Value {
    /// The value for a seat of an end of the game in which these seats, a bit each, share the loss.
    pub fn of_end(losers: u8, seat: u8) -> Value {
        match losers.count_ones() {
            _ if losers >> seat & 1 == 0 => Value::Win,
            1 => Value::Loss,
            _ => Value::Draw,
        }
    }

    /// The value in parts of a point.
    pub const fn points(self) -> u64 {
        match self {
            Value::Loss => 0,
            Value::Draw => WON / 2,
            Value::Win => WON,
        }
    }
}

/// Value of a game that is not lost, in parts of a point: a number that every number of seats
/// divides.
pub const WON: u64 = 60;

/// Points of a seat where these, a bit each, share a loss, in parts of a point.
pub fn points(losers: u8, seat: u8) -> u64 {
    match losers >> seat & 1 {
        0 => WON,
        _ => WON - WON / u64::from(losers.count_ones()),
    }
}

/// Number of starts of bouts before a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon(u8);

impl Horizon {
    /// A line goes on to the end of the game.
    pub const END: Horizon = Horizon(u8::MAX);

    /// A horizon of this number of bouts, the current one included.
    pub const fn bouts(count: u8) -> Horizon {
        Horizon(count)
    }

    /// Returns true if the line ends here.
    pub const fn is_reached(self) -> bool {
        self.0 == 0
    }

    /// The horizon at the start of the next bout.
    pub const fn after_bout(self) -> Horizon {
        match self {
            Horizon::END => Horizon::END,
            Horizon(bouts) => Horizon(bouts.saturating_sub(1)),
        }
    }
}

/// Grounds of a value beside the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grounds(u8);

impl Grounds {
    /// On nothing.
    pub const PROVEN: Grounds = Grounds(0);
    /// On what the policy makes of a position.
    pub const POLICY: Grounds = Grounds(1);
    /// On the line that led to the position.
    pub const LINE: Grounds = Grounds(2);

    /// On both.
    pub const fn and(self, other: Grounds) -> Grounds {
        Grounds(self.0 | other.0)
    }

    /// Returns true if the other one is among them.
    pub const fn contain(self, other: Grounds) -> bool {
        self.0 & other.0 != 0
    }
}

/// A value, or a bound on it, and what it hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The value.
    pub value: Value,
    /// Grounds of the value.
    pub grounds: Grounds,
}

impl Found {
    /// A value that hangs on nothing but the rules.
    pub const fn proven(value: Value) -> Found {
        Found { value, grounds: Grounds::PROVEN }
    }
}
