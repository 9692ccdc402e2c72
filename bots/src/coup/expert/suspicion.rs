//! A guess at the manner of the other seat, by its decisions in this game.

use rules::coup::{Action, Counts, Coup, Event, Move};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR_CARDS, PAIRS};
use crate::coup::expert::counted::Counted;
use crate::coup::expert::packed::Packed;
use crate::coup::expert::read::{Reading, chosen};
use crate::coup::expert::situation::{Choice, Side, Situation, Stage};
use crate::coup::minimax::belief::Weights;
use crate::coup::minimax::holding::Holding;
use crate::coup::minimax::observer::Observer;

/// Share of choices that a seat makes at random, in every manner: no table knows a player for
/// certain.
const ANYTHING: f64 = 0.05;

/// A way to play: how often each choice is made in a situation.
#[derive(Debug, Clone, Copy)]
pub enum Manner<'a> {
    /// By this table.
    Table(Packed<'a>),
    /// By a table of rough situations.
    Habits(Packed<'a>),
    /// By what was counted of one player.
    Counted(&'a Counted<'a>),
}

impl Manner<'_> {
    /// Probability of the choice for each hand, by its place.
    fn likely(
        &self,
        situation: &Situation,
        place: impl Fn(usize) -> Option<usize>,
    ) -> [f64; PAIRS] {
        let all = match self {
            Manner::Table(table) => table.all_chances(situation),
            Manner::Habits(habits) => habits.all_chances(&situation.rough()),
            Manner::Counted(counted) => counted.all_chances(situation),
        };
        let mut likely = [0.0; PAIRS];
        for (hand, (likely, chances)) in likely.iter_mut().zip(all).enumerate() {
            let options = situation.options(hand) as f64;
            let total: f64 = chances.iter().map(|chance| f64::from(*chance)).sum();
            if let Some(chance) = place(hand).and_then(|place| chances.get(place)) {
                *likely = (1.0 - ANYTHING) * f64::from(*chance) / total + ANYTHING / options;
            }
        }
        likely
    }
}

/// A manner and its place among those that are thought possible.
struct Numbered<'a> {
    number: usize,
    manner: Manner<'a>,
}

/// Follows a game from one seat.
pub struct Suspicion<'a> {
    seat: Seat,
    seen: usize,
    reading: Reading,
    observer: Observer<Numbered<'a>>,
}

/// The most likely manner of the other seat, and its certainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suspect {
    /// Its place among those that are thought possible.
    pub manner: usize,
    /// From 0 to 2.
    pub certainty: usize,
}

impl Suspect {
    /// Number of degrees of certainty.
    pub const CERTAINTIES: usize = 3;

    /// Its number.
    pub fn index(self) -> usize {
        self.manner * Suspect::CERTAINTIES + self.certainty
    }
}

impl<'a> Suspicion<'a> {
    /// At the start of a game of this seat, given how likely each manner is before it.
    pub fn new(
        seat: Seat,
        manners: impl IntoIterator<Item = (Manner<'a>, f64)>,
    ) -> Option<Suspicion<'a>> {
        let numbered = manners.into_iter().enumerate();
        let numbered =
            numbered.map(|(number, (manner, chance))| (Numbered { number, manner }, chance));
        let observer = Observer::new(seat, numbered);
        Some(Suspicion { seat, seen: 0, reading: Reading::start()?, observer })
    }

    /// Learns what is new in a request of its game; `None` if its history is none of a game that
    /// goes on.
    pub fn learn(&mut self, request: &Request<Coup>) -> Option<Suspect> {
        self.follow(request)?;
        let worlds = self.observer.worlds().iter().enumerate();
        let weights = worlds.map(|(manner, world)| (manner, world.hands.iter().sum::<f64>()));
        // Of equals, the first.
        let (manner, weight) = weights.rev().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let certainty = match weight {
            ..0.7 => 0,
            ..0.95 => 1,
            _ => 2,
        };
        Some(Suspect { manner, certainty })
    }

    /// Follows what is new in a request of its game; `None` if its history is none of a game that
    /// goes on.
    pub fn follow(&mut self, request: &Request<Coup>) -> Option<()> {
        for event in request.events().iter().skip(self.seen) {
            self.observe(event)?;
            self.seen += 1;
        }
        Some(())
    }

    /// Probability of each manner together with each hand of the other seat.
    pub fn worlds(&self) -> impl Iterator<Item = Weights> {
        self.observer.worlds().iter().map(|world| world.hands)
    }

    /// Probability of each hand of the other seat, whatever its manner; all 0 if it can hold none.
    pub fn hands(&self) -> Weights {
        let mut hands = [0.0; Holding::COUNT];
        for world in self.observer.worlds() {
            hands.iter_mut().zip(&world.hands).for_each(|(sum, weight)| *sum += weight);
        }
        hands
    }

    /// The cards of the seat itself.
    pub fn own(&self) -> Counts {
        self.observer.own()
    }

    fn observe(&mut self, event: &Event) -> Option<()> {
        match *event {
            Event::Move { seat, mv } if seat != self.seat => self.judge(seat, mv)?,
            _ => {}
        }
        self.observer.apply(event);
        self.reading.observe(event)
    }

    /// Weighs a decision of the other seat: how likely it is with each hand in each manner.
    fn judge(&mut self, seat: Seat, mv: Move) -> Option<()> {
        let situation = self.reading.situation;
        match mv {
            // Every player takes the coup that wins.
            Move::Act(Action::Coup(_)) if situation.cards(Side::Other) == 1 => {}
            Move::Act(action) if situation.stage == Stage::Act => {
                self.chose(&situation, chosen(action));
            }
            Move::Pass => self.chose(&situation, Choice::Pass),
            Move::Challenge => self.chose(&situation, Choice::Challenge),
            Move::Block(card) => self.chose(&situation, Choice::Block(card as Card)),
            Move::Lose(card) => {
                let stage = situation.stage;
                if stage == Stage::AnswerAssassinate && self.reading.side(seat) == Side::Other {
                    self.chose(&situation, Choice::Pass);
                }
                let mut owing = self.reading;
                owing.owe(seat)?;
                self.gave_up(&owing.situation, card as Card);
            }
            _ => {}
        }
        Some(())
    }

    fn chose(&mut self, situation: &Situation, choice: Choice) {
        let place = situation.choices().iter().position(|other| *other == choice);
        if place.is_some() {
            self.weigh(situation, |_| place);
        }
    }

    fn gave_up(&mut self, situation: &Situation, card: Card) {
        self.weigh(situation, |hand| {
            let [low, high] = *PAIR_CARDS.get(hand)?;
            if low == card { Some(0) } else { (high == card).then_some(1) }
        });
    }

    fn weigh(&mut self, situation: &Situation, place: impl Fn(usize) -> Option<usize>) {
        let worlds = self.observer.worlds().iter();
        let likely: Vec<[f64; PAIRS]> =
            worlds.map(|world| world.model.manner.likely(situation, &place)).collect();
        let pairs = situation.cards(situation.stage.decides()) == 2;
        self.observer.weigh(|numbered, holding| {
            let hand = if holding.size() == 2 { holding.index() } else { holding.index() - PAIRS };
            match (holding.size() == 2) == pairs {
                true => likely[numbered.number][hand],
                false => 0.0,
            }
        });
    }
}
