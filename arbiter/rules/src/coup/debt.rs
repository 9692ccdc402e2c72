//! Debts of a turn: things that a seat or nature must still do.

use std::fmt;
use std::str::FromStr;

use crate::coup::hand::Character;
use crate::coup::options::Rules;
use crate::seat::Seat;
use crate::text::NotText;

/// Something that a seat or nature must still do. What a turn still owes is a stack of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Debt {
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

impl Debt {
    /// The seat that owes it, or that nature owes it to.
    pub fn seat(self) -> Seat {
        match self {
            Debt::Deal(seat)
            | Debt::Act(seat)
            | Debt::Answer(seat)
            | Debt::Accept(seat, _)
            | Debt::Prove(seat, _)
            | Debt::Replace(seat, _)
            | Debt::Draw(seat)
            | Debt::Keep(seat)
            | Debt::Lose(seat)
            | Debt::Pay(seat)
            | Debt::End(seat)
            | Debt::Block(seat)
            | Debt::Stand(seat, _)
            | Debt::Doubt(seat)
            | Debt::Effect(seat) => seat,
        }
    }

    /// Number of cards that nature owes; `None` if a seat is the debtor.
    pub fn cards(self) -> Option<usize> {
        match self {
            Debt::Deal(_) | Debt::Draw(_) => Some(2),
            Debt::Replace(..) => Some(1),
            _ => None,
        }
    }

    /// Returns true if it is settled by itself, without asking anyone.
    pub(super) fn follows(self, rules: Rules) -> bool {
        match self {
            Debt::Pay(_) | Debt::Stand(..) | Debt::Doubt(_) | Debt::Effect(_) => true,
            Debt::End(_) => matches!(rules, Rules::Court(_)),
            _ => false,
        }
    }

    /// Returns true if a turn by these rules can owe it.
    pub(super) fn is_of(self, rules: Rules) -> bool {
        let is_court = matches!(rules, Rules::Court(_));
        match self {
            Debt::Block(_) | Debt::Stand(..) | Debt::Doubt(_) | Debt::Effect(_) => is_court,
            Debt::Pay(_) => !is_court,
            _ => true,
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Debt::Deal(_) => "deal",
            Debt::Act(_) => "act",
            Debt::Answer(_) => "answer",
            Debt::Accept(..) => "accept",
            Debt::Prove(..) => "prove",
            Debt::Replace(..) => "replace",
            Debt::Draw(_) => "draw",
            Debt::Keep(_) => "keep",
            Debt::Lose(_) => "lose",
            Debt::Pay(_) => "pay",
            Debt::End(_) => "end",
            Debt::Block(_) => "block",
            Debt::Stand(..) => "stand",
            Debt::Doubt(_) => "doubt",
            Debt::Effect(_) => "effect",
        }
    }
}

impl fmt::Display for Debt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb(), self.seat())?;
        match self {
            Debt::Accept(_, card)
            | Debt::Prove(_, card)
            | Debt::Replace(_, card)
            | Debt::Stand(_, card) => write!(f, " {card}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Debt {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["deal", seat] => seat.parse().map(Debt::Deal),
            ["act", seat] => seat.parse().map(Debt::Act),
            ["answer", seat] => seat.parse().map(Debt::Answer),
            ["accept", seat, card] => Ok(Debt::Accept(seat.parse()?, card.parse()?)),
            ["prove", seat, card] => Ok(Debt::Prove(seat.parse()?, card.parse()?)),
            ["replace", seat, card] => Ok(Debt::Replace(seat.parse()?, card.parse()?)),
            ["draw", seat] => seat.parse().map(Debt::Draw),
            ["keep", seat] => seat.parse().map(Debt::Keep),
            ["lose", seat] => seat.parse().map(Debt::Lose),
            ["pay", seat] => seat.parse().map(Debt::Pay),
            ["end", seat] => seat.parse().map(Debt::End),
            ["block", seat] => seat.parse().map(Debt::Block),
            ["stand", seat, card] => Ok(Debt::Stand(seat.parse()?, card.parse()?)),
            ["doubt", seat] => seat.parse().map(Debt::Doubt),
            ["effect", seat] => seat.parse().map(Debt::Effect),
            _ => Err(NotText::new("something owed, such as `answer 1`", text)),
        }
    }
}
