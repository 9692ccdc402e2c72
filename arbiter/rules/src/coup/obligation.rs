//! Debts of a turn: things that a seat or nature must still do.

use std::fmt;
use std::str::FromStr;

use crate::coup::hand::Character;
use crate::coup::options::CoupRules;
use crate::seat::Seat;
use crate::text::NotText;

/// Something that a seat or nature must still do. What a turn still owes is a stack of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obligation {
    /// Nature deals this seat its two cards: `deal 0`.
    Deal(Seat),
    /// This seat chooses its action: `act 0`.
    Act(Seat),
    /// This seat answers the action, by a pass, a challenge or a block: `answer 1`.
    Answer(Seat),
    /// This seat accepts or challenges the block with this character: `accept 0 duke`.
    Accept(Seat, Character),
    /// This seat, challenged, shows this character or gives up a card: `prove 1 duke`.
    Prove(Seat, Character),
    /// Nature draws this seat a card for this one, which then goes back: `replace 1 duke`.
    Replace(Seat, Character),
    /// Nature draws this seat two cards for its exchange: `draw 0`.
    Draw(Seat),
    /// This seat chooses the cards that it keeps: `keep 0`.
    Keep(Seat),
    /// This seat gives up a card: `lose 1`.
    Lose(Seat),
    /// This seat pays for its action, without being asked: `pay 0`.
    Pay(Seat),
    /// This seat ends its turn, and has what its action brings: `end 0`. At a court the turn ends
    /// without asking, and brings nothing.
    End(Seat),
    /// At a court, this seat blocks the action or lets it happen, its claim being proven: `block 2`.
    Block(Seat),
    /// At a court, this seat has blocked with this character, and the block stands without asking:
    /// `stand 2 captain`.
    Stand(Seat, Character),
    /// At a court, this seat has challenged, and gives up a card if the claim is proven: `doubt 1`.
    Doubt(Seat),
    /// At a court, the action of this seat takes effect, without asking: `effect 0`.
    Effect(Seat),
}

impl Obligation {
    /// The seat that owes it, or that nature owes it to.
    pub fn seat(self) -> Seat {
        match self {
            Obligation::Deal(seat)
            | Obligation::Act(seat)
            | Obligation::Answer(seat)
            | Obligation::Accept(seat, _)
            | Obligation::Prove(seat, _)
            | Obligation::Replace(seat, _)
            | Obligation::Draw(seat)
            | Obligation::Keep(seat)
            | Obligation::Lose(seat)
            | Obligation::Pay(seat)
            | Obligation::End(seat)
            | Obligation::Block(seat)
            | Obligation::Stand(seat, _)
            | Obligation::Doubt(seat)
            | Obligation::Effect(seat) => seat,
        }
    }

    /// Number of cards that nature owes; `None` if a seat is the debtor.
    pub fn cards(self) -> Option<usize> {
        match self {
            Obligation::Deal(_) | Obligation::Draw(_) => Some(2),
            Obligation::Replace(..) => Some(1),
            _ => None,
        }
    }

    /// Returns true if it is settled by itself, without asking anyone.
    pub(super) fn follows(self, rules: CoupRules) -> bool {
        match self {
            Obligation::Pay(_)
            | Obligation::Stand(..)
            | Obligation::Doubt(_)
            | Obligation::Effect(_) => true,
            Obligation::End(_) => matches!(rules, CoupRules::Court(_)),
            _ => false,
        }
    }

    /// Returns true if a turn by these rules can owe it.
    pub(super) fn is_of(self, rules: CoupRules) -> bool {
        let is_court = matches!(rules, CoupRules::Court(_));
        match self {
            Obligation::Block(_)
            | Obligation::Stand(..)
            | Obligation::Doubt(_)
            | Obligation::Effect(_) => is_court,
            Obligation::Pay(_) => !is_court,
            _ => true,
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Obligation::Deal(_) => "deal",
            Obligation::Act(_) => "act",
            Obligation::Answer(_) => "answer",
            Obligation::Accept(..) => "accept",
            Obligation::Prove(..) => "prove",
            Obligation::Replace(..) => "replace",
            Obligation::Draw(_) => "draw",
            Obligation::Keep(_) => "keep",
            Obligation::Lose(_) => "lose",
            Obligation::Pay(_) => "pay",
            Obligation::End(_) => "end",
            Obligation::Block(_) => "block",
            Obligation::Stand(..) => "stand",
            Obligation::Doubt(_) => "doubt",
            Obligation::Effect(_) => "effect",
        }
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb(), self.seat())?;
        match self {
            Obligation::Accept(_, card)
            | Obligation::Prove(_, card)
            | Obligation::Replace(_, card)
            | Obligation::Stand(_, card) => write!(f, " {card}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Obligation {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["deal", seat] => seat.parse().map(Obligation::Deal),
            ["act", seat] => seat.parse().map(Obligation::Act),
            ["answer", seat] => seat.parse().map(Obligation::Answer),
            ["accept", seat, card] => Ok(Obligation::Accept(seat.parse()?, card.parse()?)),
            ["prove", seat, card] => Ok(Obligation::Prove(seat.parse()?, card.parse()?)),
            ["replace", seat, card] => Ok(Obligation::Replace(seat.parse()?, card.parse()?)),
            ["draw", seat] => seat.parse().map(Obligation::Draw),
            ["keep", seat] => seat.parse().map(Obligation::Keep),
            ["lose", seat] => seat.parse().map(Obligation::Lose),
            ["pay", seat] => seat.parse().map(Obligation::Pay),
            ["end", seat] => seat.parse().map(Obligation::End),
            ["block", seat] => seat.parse().map(Obligation::Block),
            ["stand", seat, card] => Ok(Obligation::Stand(seat.parse()?, card.parse()?)),
            ["doubt", seat] => seat.parse().map(Obligation::Doubt),
            ["effect", seat] => seat.parse().map(Obligation::Effect),
            _ => Err(NotText::new("something owed, such as `answer 1`", text)),
        }
    }
}
