//! The open part of a state, all but the hands, and its course.

use crate::coup::expert::cards::{Card, ClaimMemory, PAIR_CARDS, exchanges, hands};

/// The decision due and its side: the actor is the seat whose turn it is.
///
/// A decision that the rules leave no choice in is none of these. Coins have moved already where
/// only the choice of a lost card is left of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Stage {
    Act,
    AnswerForeignAid,
    AnswerTax,
    /// The other answers an assassination; to pass is to give up a card.
    AnswerAssassinate,
    AnswerSteal,
    AnswerExchange,
    /// The actor accepts or challenges a Duke against foreign aid.
    AcceptDuke,
    /// The actor accepts or challenges a Contessa against an assassination.
    AcceptContessa,
    /// The actor accepts or challenges an Ambassador against a theft.
    AcceptAmbassador,
    /// The actor accepts or challenges a Captain against a theft.
    AcceptCaptain,
    /// The actor gives up one of two cards, and its turn is over.
    ActorLoses,
    /// The other gives up one of two cards, and the turn is over.
    OtherLoses,
    /// The other gives up one of two cards, and an exchange goes on.
    OtherLosesThenExchange,
    /// The actor draws two cards and chooses which to keep.
    Exchange,
}

impl Stage {
    /// All stages, in the order of their numbers.
    pub const ALL: [Stage; 14] = [
        Stage::Act,
        Stage::AnswerForeignAid,
        Stage::AnswerTax,
        Stage::AnswerAssassinate,
        Stage::AnswerSteal,
        Stage::AnswerExchange,
        Stage::AcceptDuke,
        Stage::AcceptContessa,
        Stage::AcceptAmbassador,
        Stage::AcceptCaptain,
        Stage::ActorLoses,
        Stage::OtherLoses,
        Stage::OtherLosesThenExchange,
        Stage::Exchange,
    ];

    pub fn decides(self) -> TurnSide {
        match self {
            Stage::AnswerForeignAid
            | Stage::AnswerTax
            | Stage::AnswerAssassinate
            | Stage::AnswerSteal
            | Stage::AnswerExchange
            | Stage::OtherLoses
            | Stage::OtherLosesThenExchange => TurnSide::Other,
            _ => TurnSide::Actor,
        }
    }

    /// The claim that can be challenged: whose, and which card.
    pub fn claim(self) -> Option<(TurnSide, Card)> {
        Some(match self {
            Stage::AnswerTax => (TurnSide::Actor, DUKE),
            Stage::AnswerAssassinate => (TurnSide::Actor, ASSASSIN),
            Stage::AnswerSteal => (TurnSide::Actor, CAPTAIN),
            Stage::AnswerExchange => (TurnSide::Actor, AMBASSADOR),
            Stage::AcceptDuke => (TurnSide::Other, DUKE),
            Stage::AcceptContessa => (TurnSide::Other, CONTESSA),
            Stage::AcceptAmbassador => (TurnSide::Other, AMBASSADOR),
            Stage::AcceptCaptain => (TurnSide::Other, CAPTAIN),
            _ => return None,
        })
    }
}

/// One of the two sides, as seen from the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnSide {
    Actor,
    Other,
}

impl TurnSide {
    #[must_use]
    pub fn opposite(self) -> TurnSide {
        match self {
            TurnSide::Actor => TurnSide::Other,
            TurnSide::Other => TurnSide::Actor,
        }
    }

    pub fn index(self) -> usize {
        self as usize
    }
}

pub const AMBASSADOR: Card = 0;
pub const ASSASSIN: Card = 1;
pub const CAPTAIN: Card = 2;
pub const CONTESSA: Card = 3;
pub const DUKE: Card = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    Income,
    ForeignAid,
    Coup,
    Tax,
    Assassinate,
    Steal,
    Exchange,
    /// Lets it pass; of an assassination: gives up a card.
    Pass,
    Challenge,
    Block(Card),
    LoseLow,
    LoseHigh,
    /// Keeps one of the hands that are possible, by its place.
    Keep(u8),
}

/// The open part of a state, as seen from the turn: the actor comes first everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Situation {
    pub stage: Stage,
    pub coins: [u8; 2],
    /// The card that each has lost, its place counted from 1; 0 for none.
    pub lost: [u8; 2],
    pub memory: [ClaimMemory; 2],
    /// If a card is about to be lost: the card that the loser was caught without, counted from 1; 0
    /// for none.
    pub missing: u8,
}

/// Next step of a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    Won(TurnSide),
    /// The turn is over, and the side whose turn it is now wins by a coup, if it likes.
    Coup(Situation),
    /// The turn goes on.
    Same(Situation),
    /// The turn is over, and the sides have changed their roles.
    Turned(Situation),
}

impl Situation {
    pub const START: Situation = Situation {
        stage: Stage::Act,
        coins: [1, 1],
        lost: [0, 0],
        memory: [ClaimMemory::NONE; 2],
        missing: 0,
    };

    pub fn cards(&self, side: TurnSide) -> usize {
        2 - usize::from(self.lost[side.index()] != 0)
    }

    /// The choices of the side that decides; those of an exchange depend on the cards.
    pub fn choices(&self) -> &'static [Choice] {
        use Choice::{Assassinate, Coup, ForeignAid, Income, Pass, Steal, Tax};
        const AID: Choice = ForeignAid;
        const SWAP: Choice = Choice::Exchange;
        const DOUBT: Choice = Choice::Challenge;
        match self.stage {
            Stage::Act => match (self.coins[0], self.coins[1]) {
                (0..3, 0) => &[Income, AID, Tax, SWAP],
                (0..3, _) => &[Income, AID, Tax, Steal, SWAP],
                (3..7, 0) => &[Income, AID, Tax, Assassinate, SWAP],
                (3..7, _) => &[Income, AID, Tax, Assassinate, Steal, SWAP],
                (_, 0) => &[Income, AID, Coup, Tax, Assassinate, SWAP],
                (_, _) => &[Income, AID, Coup, Tax, Assassinate, Steal, SWAP],
            },
            Stage::AnswerForeignAid => &[Pass, Choice::Block(DUKE)],
            Stage::AnswerTax | Stage::AnswerExchange => &[Pass, DOUBT],
            Stage::AnswerAssassinate => &[Pass, DOUBT, Choice::Block(CONTESSA)],
            Stage::AnswerSteal => &[Pass, DOUBT, Choice::Block(AMBASSADOR), Choice::Block(CAPTAIN)],
            Stage::AcceptDuke
            | Stage::AcceptContessa
            | Stage::AcceptAmbassador
            | Stage::AcceptCaptain => &[Pass, DOUBT],
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                &[Choice::LoseLow, Choice::LoseHigh]
            }
            Stage::Exchange => &[
                Choice::Keep(0),
                Choice::Keep(1),
                Choice::Keep(2),
                Choice::Keep(3),
                Choice::Keep(4),
                Choice::Keep(5),
            ],
        }
    }

    /// Number of hands that the side that decides may have; in an exchange, with the drawn cards.
    pub fn hands(&self) -> usize {
        match self.stage {
            Stage::Exchange => hands(self.cards(TurnSide::Actor) + 2),
            stage => hands(self.cards(stage.decides())),
        }
    }

    /// Number of [`choices`](Self::choices) with this hand: the first ones.
    pub fn options(&self, hand: usize) -> usize {
        match self.stage {
            Stage::Exchange => {
                exchanges(self.cards(TurnSide::Actor)).keeps.get(hand).map_or(0, Vec::len)
            }
            Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange => {
                match PAIR_CARDS.get(hand) {
                    Some([low, high]) if low != high => 2,
                    _ => 1,
                }
            }
            _ => self.choices().len(),
        }
    }

    /// After a choice that settles by itself what follows: an action, a pass or a block.
    ///
    /// For the others there are [`after_challenge`](Self::after_challenge),
    /// [`after_loss`](Self::after_loss) and [`after_exchange`](Self::after_exchange); here they
    /// change nothing.
    pub fn after(&self, choice: Choice) -> NextStep {
        match choice {
            Choice::Income => self.paid(1).turned(),
            Choice::ForeignAid => NextStep::Same(self.with_stage(Stage::AnswerForeignAid)),
            Choice::Coup => NextStep::Same(Situation {
                coins: [self.coins[0].saturating_sub(7), self.coins[1]],
                ..self.with_stage(Stage::OtherLoses)
            }),
            Choice::Tax => NextStep::Same(self.with_stage(Stage::AnswerTax)),
            Choice::Assassinate => NextStep::Same(self.with_stage(Stage::AnswerAssassinate)),
            Choice::Steal => NextStep::Same(self.with_stage(Stage::AnswerSteal)),
            Choice::Exchange => NextStep::Same(self.with_stage(Stage::AnswerExchange)),
            Choice::Pass => self.after_pass(),
            Choice::Block(card) => NextStep::Same(self.after_block(card)),
            _ => NextStep::Same(*self),
        }
    }

    fn after_pass(&self) -> NextStep {
        let Some((side, card)) = self.stage.claim() else {
            return self.paid(2).turned();
        };
        let claimed = self.claimed(side, card);
        match self.stage {
            Stage::AnswerTax => claimed.paid(3).turned(),
            Stage::AnswerSteal => claimed.stolen().turned(),
            // The cards kept in an exchange need not hold the Ambassador.
            Stage::AnswerExchange => NextStep::Same(self.with_stage(Stage::Exchange)),
            Stage::AnswerAssassinate => {
                claimed.spent().loses(TurnSide::Other, Stage::OtherLoses, 0)
            }
            Stage::AcceptContessa => claimed.spent().turned(),
            _ => claimed.turned(),
        }
    }

    fn after_block(&self, card: Card) -> Situation {
        let claimed = match self.stage.claim() {
            Some((side, card)) => self.claimed(side, card),
            None => *self,
        };
        claimed.with_stage(match card {
            DUKE => Stage::AcceptDuke,
            CONTESSA => Stage::AcceptContessa,
            AMBASSADOR => Stage::AcceptAmbassador,
            _ => Stage::AcceptCaptain,
        })
    }

    /// After the claim was challenged, and the card was there or not.
    pub fn after_challenge(&self, found: ChallengeResult) -> NextStep {
        let Some((claimer, card)) = self.stage.claim() else { return NextStep::Same(*self) };
        match (claimer, found) {
            (TurnSide::Actor, ChallengeResult::There) => self.action_proven(card),
            (TurnSide::Actor, ChallengeResult::Missing) => {
                self.loses(TurnSide::Actor, Stage::ActorLoses, card + 1)
            }
            (TurnSide::Other, ChallengeResult::There) => {
                let shown = self.after_reveal(TurnSide::Other, card);
                let paid = if card == CONTESSA { shown.spent() } else { shown };
                paid.loses(TurnSide::Actor, Stage::ActorLoses, 0)
            }
            (TurnSide::Other, ChallengeResult::Missing) => {
                let goes_on = match card {
                    CONTESSA => return NextStep::Won(TurnSide::Actor),
                    DUKE => self.paid(2),
                    _ => self.stolen(),
                };
                goes_on.loses(TurnSide::Other, Stage::OtherLoses, card + 1)
            }
        }
    }

    fn action_proven(&self, card: Card) -> NextStep {
        match card {
            ASSASSIN => NextStep::Won(TurnSide::Actor),
            AMBASSADOR => self.loses(TurnSide::Other, Stage::OtherLosesThenExchange, 0),
            _ => {
                let shown = self.after_reveal(TurnSide::Actor, card);
                let brought = if card == DUKE { shown.paid(3) } else { shown.stolen() };
                brought.loses(TurnSide::Other, Stage::OtherLoses, 0)
            }
        }
    }

    /// After the card was chosen that is lost.
    pub fn after_loss(&self, card: Card) -> NextStep {
        let loser = self.stage.decides();
        let mut after = *self;
        after.lost[loser.index()] = card + 1;
        after.memory[loser.index()] = self.memory[loser.index()].after_loss(card, self.missing);
        after.missing = 0;
        match self.stage {
            Stage::OtherLosesThenExchange => NextStep::Same(after.with_stage(Stage::Exchange)),
            _ => after.turned(),
        }
    }

    pub fn after_exchange(&self) -> NextStep {
        let mut after = *self;
        after.memory[0] = self.memory[0].exchanged();
        after.turned()
    }

    /// The roles change. A seat that can win by a coup has won, and one with ten coins must coup.
    fn turned(&self) -> NextStep {
        let [actor, other] = self.coins;
        let turned = Situation {
            stage: Stage::Act,
            coins: [other, actor],
            lost: [self.lost[1], self.lost[0]],
            memory: [self.memory[1], self.memory[0]],
            missing: 0,
        };
        match (other, turned.cards(TurnSide::Other)) {
            (7.., 1) => NextStep::Coup(turned),
            (10.., _) => NextStep::Turned(Situation {
                coins: [other - 7, actor],
                ..turned.with_stage(Stage::OtherLoses)
            }),
            _ => NextStep::Turned(turned),
        }
    }

    /// A side owes a card: with its last one it has lost.
    fn loses(&self, loser: TurnSide, stage: Stage, missing: u8) -> NextStep {
        match self.cards(loser) {
            1 => NextStep::Won(loser.opposite()),
            _ => NextStep::Same(Situation { missing, ..self.with_stage(stage) }),
        }
    }

    fn with_stage(&self, stage: Stage) -> Situation {
        Situation { stage, ..*self }
    }

    fn paid(&self, coins: u8) -> Situation {
        Situation { coins: [self.coins[0].saturating_add(coins), self.coins[1]], ..*self }
    }

    fn spent(&self) -> Situation {
        Situation { coins: [self.coins[0].saturating_sub(3), self.coins[1]], ..*self }
    }

    fn stolen(&self) -> Situation {
        let gain = self.coins[1].min(2);
        Situation { coins: [self.coins[0].saturating_add(gain), self.coins[1] - gain], ..*self }
    }

    fn claimed(&self, side: TurnSide, card: Card) -> Situation {
        let mut after = *self;
        let memory = &mut after.memory[side.index()];
        *memory = memory.claimed(card, self.cards(side));
        after
    }

    fn after_reveal(&self, side: TurnSide, card: Card) -> Situation {
        let mut after = *self;
        let memory = &mut after.memory[side.index()];
        *memory = memory.after_reveal(card, self.cards(side));
        after
    }

    /// A number of its own for every situation.
    pub fn key(&self) -> u64 {
        let fields = [
            (self.coins[0], 4),
            (self.coins[1], 4),
            (self.lost[0], 3),
            (self.lost[1], 3),
            (self.memory[0].index() as u8, 5),
            (self.memory[1].index() as u8, 5),
            (self.missing, 3),
            (self.stage as u8, 4),
        ];
        fields.iter().fold(0, |key, (field, bits)| key << bits | u64::from(*field))
    }

    /// The situation of this number; `None` if there is none.
    pub fn of_key(mut key: u64) -> Option<Situation> {
        let mut field = |bits: u32| {
            let field = (key & ((1 << bits) - 1)) as u8;
            key >>= bits;
            field
        };
        let stage = *Stage::ALL.get(usize::from(field(4)))?;
        let missing = field(3);
        let memories = [field(5), field(5)].map(|index| ClaimMemory::of_index(usize::from(index)));
        let lost = [field(3), field(3)];
        let coins = [field(4), field(4)];
        let swap = |[first, second]: [u8; 2]| [second, first];
        let memory = [memories[1]?, memories[0]?];
        Some(Situation { stage, coins: swap(coins), lost: swap(lost), memory, missing })
    }

    #[must_use]
    pub fn forgotten(&self) -> Situation {
        Situation { memory: [ClaimMemory::NONE; 2], ..*self }
    }

    /// A rougher situation, with coins that allow the same choices and are about as many, and
    /// without which cards were lost.
    #[must_use]
    pub fn rough(&self) -> Situation {
        let rough = |coins| match coins {
            0..=2 => coins,
            3..=4 => 3,
            5..=6 => 5,
            _ => 7,
        };
        Situation {
            coins: self.coins.map(rough),
            lost: self.lost.map(|lost| lost.min(1)),
            missing: 0,
            ..*self
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeResult {
    /// It was shown.
    There,
    /// The claim was false.
    Missing,
}
