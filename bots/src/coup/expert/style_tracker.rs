//! A guess at the manner of the other seat, by its decisions in this game, and what does well against it.
//!
//! ```text
//! couppun1        8 bytes
//! styles          u32, little-endian as all numbers
//! per style       u32 how likely it is before anything is known, in thousandths
//! per style       u32 length, and a table of what it does in rough situations
//! per suspect     u32 length, and a table of what to do in rough situations; none for who is suspected
//!                 to play like the table
//! ```

use std::collections::HashMap;

use rules::coup::{Action, Counts, Coup, Event, Move};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR_CARDS, PAIRS, count};
use crate::coup::expert::packed::{CHOICES, Chances, LEVELS, PackedTable};
use crate::coup::expert::read::{ActorSituation, chosen};
use crate::coup::expert::situation::{Choice, Situation, Stage, TurnSide};
use crate::coup::minimax::belief::{UnorderedHand, Weights};
use crate::coup::minimax::observer::Observer;

/// Share of choices that a seat makes at random, in every manner: no table knows a player for
/// certain.
const ANYTHING: f64 = 0.05;

/// A way to play: how often each choice is made in a situation.
#[derive(Debug, Clone, Copy)]
pub enum PlayStyle<'a> {
    Table(PackedTable<'a>),
    /// By a table of rough situations.
    Habits(PackedTable<'a>),
    /// By what was counted of one player.
    Counted(&'a ChoiceCounts<'a>),
}

impl PlayStyle<'_> {
    /// Probability of the choice for each hand, by its place.
    fn likely(
        &self,
        situation: &Situation,
        place: impl Fn(usize) -> Option<usize>,
    ) -> [f64; PAIRS] {
        let all = match self {
            PlayStyle::Table(table) => table.all_chances(situation),
            PlayStyle::Habits(habits) => habits.all_chances(&situation.rough()),
            PlayStyle::Counted(counted) => counted.all_chances(situation),
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

pub struct StyleTracker<'a> {
    seat: Seat,
    seen: usize,
    reading: ActorSituation,
    /// The manners that are thought possible.
    manners: Vec<PlayStyle<'a>>,
    /// Its models are the places of the manners.
    observer: Observer<usize>,
}

/// The most likely manner of the other seat, and its certainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LikelyStyle {
    /// Its place among those that are thought possible.
    pub manner: usize,
    /// From 0 to 2.
    pub certainty: usize,
}

impl LikelyStyle {
    pub const CERTAINTIES: usize = 3;

    pub fn index(self) -> usize {
        self.manner * LikelyStyle::CERTAINTIES + self.certainty
    }
}

impl<'a> StyleTracker<'a> {
    /// At the start of a game of this seat, given how likely each manner is before it.
    pub fn new(
        seat: Seat,
        manners: impl IntoIterator<Item = (PlayStyle<'a>, f64)>,
    ) -> Option<StyleTracker<'a>> {
        let (manners, chances): (Vec<PlayStyle<'a>>, Vec<f64>) = manners.into_iter().unzip();
        let observer = Observer::new(seat, chances.into_iter().enumerate());
        Some(StyleTracker { seat, seen: 0, reading: ActorSituation::start()?, manners, observer })
    }

    /// Learns what is new in a request of its game; `None` if its history is none of a game that
    /// goes on.
    pub fn learn(&mut self, request: &Request<Coup>) -> Option<LikelyStyle> {
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
        Some(LikelyStyle { manner, certainty })
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
        let mut hands = [0.0; UnorderedHand::COUNT];
        for world in self.observer.worlds() {
            hands.iter_mut().zip(&world.hands).for_each(|(sum, weight)| *sum += weight);
        }
        hands
    }

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
            Move::Act(Action::Coup(_)) if situation.cards(TurnSide::Other) == 1 => {}
            Move::Act(action) if situation.stage == Stage::Act => {
                self.chose(&situation, chosen(action));
            }
            Move::Pass => self.chose(&situation, Choice::Pass),
            Move::Challenge => self.chose(&situation, Choice::Challenge),
            Move::Block(card) => self.chose(&situation, Choice::Block(card as Card)),
            Move::Lose(card) => {
                let stage = situation.stage;
                if stage == Stage::AnswerAssassinate && self.reading.side(seat) == TurnSide::Other {
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
        let likely: Vec<[f64; PAIRS]> =
            self.manners.iter().map(|manner| manner.likely(situation, &place)).collect();
        let pairs = situation.cards(situation.stage.decides()) == 2;
        self.observer.weigh(|manner, holding| {
            let hand = if holding.size() == 2 { holding.index() } else { holding.index() - PAIRS };
            match (holding.size() == 2) == pairs {
                true => likely[*manner][hand],
                false => 0.0,
            }
        });
    }
}

/// Number of decisions that what is known of rougher situations stands for.
const PRIOR: f64 = 3.0;

/// Sum of the chances, which have more levels than those of a table.
const FINE: f64 = 240.0;

/// Choices of one player, counted in situations of two degrees of roughness.
///
/// Games with one player are few, so its choices in a [rough](Situation::rough) situation count most,
/// those in all situations of the same stage with a hand of the same kind less, and a table fills in
/// what neither says.
#[derive(Debug, Clone)]
pub struct ChoiceCounts<'a> {
    table: PackedTable<'a>,
    rough: HashMap<u64, [u32; CHOICES]>,
    kinds: HashMap<DecisionKind, [u32; CHOICES]>,
    decisions: u32,
}

/// A kind of situation and hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct DecisionKind {
    stage: Stage,
    options: usize,
    cards: usize,
    /// The part of the hand that matters.
    hand: usize,
}

impl<'a> ChoiceCounts<'a> {
    /// Nothing yet: a player who does what the table says.
    pub fn new(table: PackedTable<'a>) -> ChoiceCounts<'a> {
        ChoiceCounts { table, rough: HashMap::new(), kinds: HashMap::new(), decisions: 0 }
    }

    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    pub fn count(&mut self, situation: &Situation, hand: usize, choice: Choice) {
        let Some(place) = situation.choices().iter().position(|other| *other == choice) else {
            return;
        };
        let all = [
            self.rough.entry(rough(situation, hand)).or_default(),
            self.kinds.entry(kind(situation, hand)).or_default(),
        ];
        for counts in all {
            if let Some(count) = counts.get_mut(place) {
                *count = count.saturating_add(1);
            }
        }
        self.decisions = self.decisions.saturating_add(1);
    }

    pub fn all_chances(&self, situation: &Situation) -> Vec<Chances> {
        let all = self.table.all_chances(situation).into_iter().enumerate();
        all.map(|(hand, chances)| self.blended(situation, hand, chances)).collect()
    }

    /// Frequencies of the choices in a situation with a hand, of which the table says this.
    pub fn blended(&self, situation: &Situation, hand: usize, table: Chances) -> Chances {
        let total: u32 = table.iter().map(|chance| u32::from(*chance)).sum();
        let mut chances = table.map(|chance| f64::from(chance) / f64::from(total.max(1)));
        let kinds = self.kinds.get(&kind(situation, hand));
        let counted = [kinds, self.rough.get(&rough(situation, hand))];
        if counted == [None, None] {
            return table;
        }
        for counts in counted.into_iter().flatten() {
            let all: u32 = counts.iter().sum();
            for (chance, count) in chances.iter_mut().zip(counts) {
                *chance = (*chance * PRIOR + f64::from(*count)) / (PRIOR + f64::from(all));
            }
        }
        chances.map(|chance| (chance * FINE).round() as u8)
    }
}

/// The number of a rough situation without its memory, with a hand.
fn rough(situation: &Situation, hand: usize) -> u64 {
    situation.rough().forgotten().key() << 8 | hand as u64
}

fn kind(situation: &Situation, hand: usize) -> DecisionKind {
    let stage = situation.stage;
    let cards = situation.cards(stage.decides());
    let asked = |card: Card| count(cards, hand.min(PAIR_CARDS.len() - 1), card);
    let matters = match stage {
        Stage::Act
        | Stage::ActorLoses
        | Stage::OtherLoses
        | Stage::OtherLosesThenExchange
        | Stage::Exchange => hand,
        _ => {
            let claimed = stage.claim().map_or(0, |(_, card)| asked(card));
            let blocks = situation.choices().iter().filter_map(|choice| match choice {
                Choice::Block(card) => Some(usize::from(asked(*card).min(1))),
                _ => None,
            });
            blocks.fold(usize::from(claimed), |matters, block| matters * 2 + block)
        }
    };
    DecisionKind { stage, options: situation.options(hand), cards, hand: matters }
}

const _: () = assert!(FINE as u32 > LEVELS as u32 && FINE as u32 + CHOICES as u32 <= 255);

pub const MAGIC: [u8; 8] = *b"couppun1";

/// Number of thousandths that a certainty has: the unit of the chances of styles.
pub const WHOLE: u32 = 1000;

/// The styles that others may play in, and what to do against them.
#[derive(Debug, Clone)]
pub struct StyleResponses<'a> {
    /// Behaviour of each style, and its chance before anything is known.
    styles: Vec<(PackedTable<'a>, f64)>,
    /// By style, and then by certainty.
    responses: Vec<PackedTable<'a>>,
}

impl<'a> StyleResponses<'a> {
    /// Reads bytes; `None` if they are something else.
    pub fn new(bytes: &'a [u8]) -> Option<StyleResponses<'a>> {
        let (magic, mut rest) = bytes.split_first_chunk::<8>()?;
        let count = (*magic == MAGIC).then(|| number(&mut rest))??;
        let chances: Vec<f64> = (0..count)
            .map(|_| Some(f64::from(number(&mut rest)?) / f64::from(WHOLE)))
            .collect::<Option<_>>()?;
        let styles = chances.into_iter().map(|chance| Some((table(&mut rest)?, chance)));
        let styles: Vec<(PackedTable<'a>, f64)> = styles.collect::<Option<_>>()?;
        let suspects = styles.len() * LikelyStyle::CERTAINTIES;
        let responses = (0..suspects).map(|_| table(&mut rest)).collect::<Option<_>>()?;
        Some(StyleResponses { styles, responses })
    }

    /// Sets the chance, from 0 to 1, that the other seat plays in one of the styles.
    #[must_use]
    pub fn trusted(mut self, chance: f64) -> StyleResponses<'a> {
        let all: f64 = self.styles.iter().map(|(_, chance)| chance).sum();
        if all > 0.0 {
            for (_, own) in &mut self.styles {
                *own *= chance / all;
            }
        }
        self
    }

    /// The manners that the other seat may have, as [`manners`] lists them.
    pub fn manners(&self, safe: PackedTable<'a>) -> Vec<(PlayStyle<'a>, f64)> {
        manners(safe, &self.styles)
    }

    /// All responses, in the order of the suspects whom they are for, of [`LikelyStyle::index`].
    pub fn responses(&self) -> impl Iterator<Item = PackedTable<'a>> {
        self.responses.iter().copied()
    }

    /// Response to a suspect; `None` if it plays like the table.
    pub fn response(&self, suspect: LikelyStyle) -> Option<PackedTable<'a>> {
        let place = suspect.index().checked_sub(LikelyStyle::CERTAINTIES)?;
        self.responses.get(place).copied()
    }
}

/// The manners that a seat may have, and how likely each is: first that of the table, which has what
/// the styles leave of 1, then the styles.
pub fn manners<'a>(
    safe: PackedTable<'a>,
    styles: &[(PackedTable<'a>, f64)],
) -> Vec<(PlayStyle<'a>, f64)> {
    let known: f64 = styles.iter().map(|(_, chance)| chance).sum();
    let table = (PlayStyle::Table(safe), (1.0 - known).max(0.0));
    let styles = styles.iter().map(|(habits, chance)| (PlayStyle::Habits(*habits), *chance));
    [table].into_iter().chain(styles).collect()
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_le_bytes(*number))
}

fn table<'a>(rest: &mut &'a [u8]) -> Option<PackedTable<'a>> {
    let length = number(rest)? as usize;
    let (table, after) = rest.split_at_checked(length)?;
    *rest = after;
    PackedTable::new(table)
}

/// The table, made by these programs of the package `research`, the first of which takes about two
/// hours of one core:
///
/// ```text
/// coup-train --folder F --seed 17 --batches 82130
/// coup-pack --from F/checkpoint --to table.bin --visits 30
/// ```
static TABLE: &[u8] = include_bytes!("learned/table.bin");

/// Habits of five other players and responses that do well against them, made in about ten minutes:
///
/// ```text
/// coup-punish --table table.bin --to punishment.bin --style '200 greedy' --style '200 calculator'
///     --style '250 minimax --depth 1' --style '80 challenger' --style '120 random'
///     --habit-games 20000 --games 600000 --bytes 200000
/// ```
static PUNISHMENT: &[u8] = include_bytes!("learned/punishment.bin");

/// The table, by which the player plays with `--safe`; `None` if it is damaged.
pub fn learned_table() -> Option<PackedTable<'static>> {
    PackedTable::new(TABLE)
}

/// The styles that it knows and the responses to them; `None` if they are damaged.
pub fn punishment() -> Option<StyleResponses<'static>> {
    StyleResponses::new(PUNISHMENT)
}
