//! The suite that every game must pass.
//!
//! [`conform`] plays one game at random and checks on the way that every text round-trips, that the
//! list of legal moves and the direct check agree, that a refused move changes nothing, that the
//! inputs alone lead to the same state again, and that no seat is told more than it may know.
//!
//! The last is tested in two ways, since each finds what the other cannot:
//!
//! 1. *Requests.* A world is drawn that a seat cannot tell from the real one. The request that it
//!    would get there must be the same, byte for byte. This finds a view, or a list of legal
//!    moves, that depends on hidden cards.
//! 2. *Steps.* The real world and a drawn one both take a step. If the seat's view is equal
//!    afterwards too, it must have been told the same events in between. This finds events that
//!    carry more than the view can justify.
//!
//! People who have no seat are shown only the lines that every seat has in common: lines of a view
//! that are not named as a seat's own must be the same for all seats, and points so far must not
//! depend on hidden cards.

use std::fmt;

use crate::game::{
    Entry, Game, ListCompleteness, Request, RequestHeading, Resample, Turn, public_lines, seen_by,
};
use crate::seat::{PerSeat, Seat};
use crate::seed::{BotSeed, GameId, Nature};
use crate::text::{NotText, Text};

/// A game of more inputs than this is taken to have no end.
const MOST_INPUTS: usize = 20_000;

/// Number of seats looked at in each state, chosen at random if there are more.
const OBSERVERS: usize = 3;

/// Number of other moves or draws tried from a drawn world.
const ALTERNATIVES: usize = 12;

/// A promise of the [`Game`] trait that a game does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The broken promise.
    pub promise: Promise,
    /// The seed of the game in which it showed; the same call finds it again.
    pub seed: u64,
    /// Number of inputs before it.
    pub inputs: usize,
    /// The observation, for a person.
    pub detail: String,
}

/// A promise that every game must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "described by `Display`")]
pub enum Promise {
    TextRoundTrips,
    LegalMovesAgreeWithCheck,
    RefusalChangesNothing,
    FallbackIsLegal,
    ForcedMoveIsTheOnlyOne,
    EventsLeaveLinesOfTheReferee,
    NarrationIsForATerminal,
    SeatCanResample,
    RequestTellsNothingHidden,
    PointsTellNothingHidden,
    EventsTellNothingHidden,
    OwnLinesAreNamed,
    InputsDecideTheState,
    EveryCountIsNamed,
    GameEnds,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Promise::TextRoundTrips => "a text reads back to an equal value",
            Promise::LegalMovesAgreeWithCheck => "`check` accepts exactly the legal moves",
            Promise::RefusalChangesNothing => "a refused move changes nothing",
            Promise::FallbackIsLegal => "the house has a legal move",
            Promise::ForcedMoveIsTheOnlyOne => "a forced move is the only legal one",
            Promise::EventsLeaveLinesOfTheReferee => "no event reads as a line of the referee",
            Promise::NarrationIsForATerminal => "an event is told in printable lines",
            Promise::SeatCanResample => "a world can be drawn from what a seat knows",
            Promise::RequestTellsNothingHidden => {
                "a request is the same in all worlds that a seat cannot tell apart"
            }
            Promise::PointsTellNothingHidden => {
                "points so far are the same in all worlds that a seat cannot tell apart"
            }
            Promise::EventsTellNothingHidden => {
                "steps between equal views are told by equal events"
            }
            Promise::OwnLinesAreNamed => {
                "parts of a view that are not named as a seat's own are the same for all seats"
            }
            Promise::InputsDecideTheState => "the same inputs lead to the same state",
            Promise::EveryCountIsNamed => "a seat has one number for each name of a count",
            Promise::GameEnds => "the game ends",
        })
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Breach { promise, seed, inputs, detail } = self;
        write!(f, "not kept: {promise} (seed {seed}, after {inputs} inputs): {detail}")
    }
}

impl std::error::Error for Breach {}

/// A game that was played to its end, as far as a test needs it.
#[derive(Debug, Clone)]
pub struct PlayedGame<G: Game> {
    /// The last state.
    pub game: G,
    /// Everything that happened, as the referee saw it.
    pub events: Vec<G::Event>,
}

/// Plays one game at random, all of it decided by `seed`, and checks it on the way.
///
/// # Errors
///
/// The first promise found broken.
pub fn conform<G: Resample>(options: &G::Options, seed: u64) -> Result<PlayedGame<G>, Breach> {
    let mut suite = ConformanceRun::<G> {
        options: options.clone(),
        game: G::new(options),
        history: Vec::new(),
        inputs: Vec::new(),
        nature: BotSeed(seed.to_be_bytes()).nature(),
        stale: Vec::new(),
    };
    let played = suite.play();
    played.map_err(|(promise, detail)| Breach {
        promise,
        seed,
        inputs: suite.inputs.len(),
        detail,
    })?;
    Ok(PlayedGame { game: suite.game, events: suite.history })
}

/// An input of either kind.
#[derive(Clone, Debug)]
enum GameInput<G: Game> {
    Chance(G::Chance),
    Move(G::Move),
}

/// A broken promise, and how it showed.
type BrokenPromise = (Promise, String);

struct ConformanceRun<G: Game> {
    options: G::Options,
    game: G,
    history: Vec<G::Event>,
    inputs: Vec<GameInput<G>>,
    nature: Nature,
    /// Moves that were legal in earlier states, for any seat.
    stale: Vec<G::Move>,
}

impl<G: Resample> ConformanceRun<G> {
    fn play(&mut self) -> Result<(), BrokenPromise> {
        round_trip(&self.options)?;
        loop {
            for seat in self.observers() {
                self.check_request(seat)?;
            }
            self.check_public_lines()?;
            let step = match self.game.turn() {
                Turn::Over(_) => {
                    self.check_counts()?;
                    break;
                }
                Turn::Nature => {
                    let chance = self.game.sample(&mut self.nature);
                    let chance = chance.ok_or((Promise::GameEnds, "nature is stuck".to_owned()))?;
                    round_trip(&chance)?;
                    GameInput::Chance(chance)
                }
                Turn::Seat(_) => GameInput::Move(self.check_moves()?),
            };
            for seat in self.observers() {
                self.check_events(seat, &step)?;
            }
            let told = self.history.len();
            let went = take(&mut self.game, &step, &mut self.history);
            went.map_err(|refusal| (Promise::LegalMovesAgreeWithCheck, refusal))?;
            for event in &self.history[told..] {
                round_trip(event)?;
                seen_by_another(event).map_or(Ok(()), |event| round_trip(&event))?;
                self.check_telling(event)?;
            }
            self.inputs.push(step);
            if self.inputs.len() > MOST_INPUTS {
                return Err((Promise::GameEnds, format!("still going on: {:?}", self.game)));
            }
        }
        self.check_replay()
    }

    /// Some seats, all of them where there are few.
    fn observers(&mut self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = Seat::first(self.game.seats()).collect();
        while seats.len() > OBSERVERS {
            let dropped = self.nature.choose(&seats).copied();
            seats.retain(|seat| Some(*seat) != dropped);
        }
        seats
    }

    /// Checks the list of legal moves and chooses one.
    fn check_moves(&mut self) -> Result<G::Move, BrokenPromise> {
        let broken = |detail| Err((Promise::LegalMovesAgreeWithCheck, detail));
        let mut legal = Vec::new();
        let listing = self.game.legal_moves(&mut legal);
        for mv in &legal {
            round_trip(mv)?;
            if let Err(illegal) = self.game.check(mv) {
                return broken(format!("`{mv}` is listed, but {illegal}"));
            }
        }
        if let Some(pair) = legal.windows(2).find(|pair| pair[0] >= pair[1]) {
            return broken(format!("`{}` is listed before `{}`", pair[0], pair[1]));
        }
        match self.game.fallback() {
            Some(mv) if self.game.check(&mv).is_ok() => {}
            other => return Err((Promise::FallbackIsLegal, format!("{other:?}"))),
        }
        match self.game.forced() {
            Some(mv) if legal != [mv.clone()] => {
                let detail = format!("`{mv}` is forced, and {} are legal", legal.len());
                return Err((Promise::ForcedMoveIsTheOnlyOne, detail));
            }
            Some(_) | None => {}
        }
        for mv in std::mem::take(&mut self.stale) {
            let listed = legal.binary_search(&mv).is_ok();
            match self.game.check(&mv) {
                Ok(()) if !listed && listing == ListCompleteness::Complete => {
                    return broken(format!("`{mv}` is legal and not listed"));
                }
                Ok(()) => {}
                Err(_) => self.check_refusal(&mv)?,
            }
        }
        self.stale.extend(legal.iter().take(ALTERNATIVES).cloned());
        let Some(mv) = self.nature.choose(&legal) else {
            return broken(format!("no move in {:?}", self.game));
        };
        Ok(mv.clone())
    }

    /// Checks the narration of an event, and that its text is read as one in a history.
    fn check_telling(&self, event: &G::Event) -> Result<(), BrokenPromise> {
        if let Ok(Entry::Out(..)) = event.to_string().parse::<Entry<G::Event>>() {
            return Err((Promise::EventsLeaveLinesOfTheReferee, format!("`{event}`")));
        }
        let names = PerSeat::new(self.game.seats(), |seat| format!("player {seat}"));
        let told = self.game.narrate(event, &names);
        let is_whole = told.is_empty() || told.ends_with('\n');
        match is_whole && told.chars().all(|c| c == '\n' || !c.is_control()) {
            true => Ok(()),
            false => Err((Promise::NarrationIsForATerminal, format!("`{event}` as {told:?}"))),
        }
    }

    fn check_refusal(&self, mv: &G::Move) -> Result<(), BrokenPromise> {
        let mut game = self.game.clone();
        let mut events = Vec::new();
        let refused = game.play(mv, &mut events).is_err();
        if refused && game == self.game && events.is_empty() {
            return Ok(());
        }
        Err((Promise::RefusalChangesNothing, format!("`{mv}` in {:?}", self.game)))
    }

    /// A world that a seat cannot tell from the real one.
    fn resample(&mut self, seat: Seat) -> Result<G, BrokenPromise> {
        let view = self.game.view(seat);
        let shown = self.events_seen_by(seat);
        G::resample(&self.options, seat, &view, &shown, &mut self.nature)
            .ok_or_else(|| (Promise::SeatCanResample, format!("seat {seat} of {:?}", self.game)))
    }

    fn events_seen_by(&self, seat: Seat) -> Vec<G::Event> {
        self.history.iter().filter_map(|event| seen_by(event, seat)).collect()
    }

    /// The first test for leaks.
    fn check_request(&mut self, seat: Seat) -> Result<(), BrokenPromise> {
        let world = self.resample(seat)?;
        let real = self.request(&self.game, seat);
        let drawn = self.request(&world, seat);
        let (real_text, drawn_text) = (real.to_string(), drawn.to_string());
        if real_text != drawn_text {
            let detail =
                format!("seat {seat} of {:?} gets\n{real_text}or\n{drawn_text}", self.game);
            return Err((Promise::RequestTellsNothingHidden, detail));
        }
        let points = |game: &G| PerSeat::new(game.seats(), |seat| game.points_so_far(seat));
        let (has, seems) = (points(&self.game), points(&world));
        if has != seems {
            let detail = format!("{has:?} or {seems:?} for seat {seat} of {:?}", self.game);
            return Err((Promise::PointsTellNothingHidden, detail));
        }
        match real_text.parse::<Request<G>>() {
            Ok(read) if read == real => Ok(()),
            other => Err((Promise::TextRoundTrips, format!("{real_text}reads as {other:?}"))),
        }
    }

    /// Checks that what is not a seat's own is the same for all seats.
    fn check_public_lines(&self) -> Result<(), BrokenPromise> {
        let mut seen = Seat::first(self.game.seats()).map(|seat| public_lines(&self.game, seat));
        let first = seen.next().unwrap_or_default();
        match seen.find(|lines| *lines != first) {
            None => Ok(()),
            Some(other) => {
                Err((Promise::OwnLinesAreNamed, format!("all see\n{first}\nor\n{other}")))
            }
        }
    }

    fn request(&self, world: &G, seat: Seat) -> Request<G> {
        let mut legal = Vec::new();
        let listing = match world.turn() {
            Turn::Seat(mover) if mover == seat => world.legal_moves(&mut legal),
            _ => ListCompleteness::Complete,
        };
        let number = self.inputs.len() as u32;
        Request {
            options: self.options.clone(),
            heading: RequestHeading {
                id: GameId([0; 16]),
                seat,
                number,
                time: 1000,
                bank: None,
                seed: BotSeed([0; 8]),
                retry: None,
            },
            view: world.view(seat),
            history: self.events_seen_by(seat).into_iter().map(Entry::Event).collect(),
            legal,
            listing,
        }
    }

    /// The second test for leaks.
    fn check_events(&mut self, seat: Seat, step: &GameInput<G>) -> Result<(), BrokenPromise> {
        let drawn = self.resample(seat)?;
        let (view, told) = view_after(&self.game, step, seat);
        for other in self.alternatives(&drawn, step) {
            let (other_view, other_told) = view_after(&drawn, &other, seat);
            if view.is_some() && view == other_view && told != other_told {
                let detail = format!(
                    "seat {seat} is told {told:?} of {step:?}, {other_told:?} of {other:?}"
                );
                return Err((Promise::EventsTellNothingHidden, detail));
            }
        }
        Ok(())
    }

    /// The real step, and others that are possible in a drawn world.
    fn alternatives(&mut self, world: &G, step: &GameInput<G>) -> Vec<GameInput<G>> {
        let mut steps = vec![step.clone()];
        match step {
            GameInput::Chance(_) => {
                let draws = (0..ALTERNATIVES / 3).filter_map(|_| world.sample(&mut self.nature));
                steps.extend(draws.map(GameInput::Chance));
            }
            GameInput::Move(_) => {
                let mut legal = Vec::new();
                let _ = world.legal_moves(&mut legal);
                let chosen = (0..ALTERNATIVES).filter_map(|_| self.nature.choose(&legal));
                steps.extend(chosen.cloned().map(GameInput::Move));
            }
        }
        steps
    }

    fn check_counts(&self) -> Result<(), BrokenPromise> {
        let odd = Seat::first(self.game.seats())
            .map(|seat| self.game.counts(seat))
            .find(|counts| counts.len() != G::COUNTS.len());
        odd.map_or(Ok(()), |counts| {
            Err((Promise::EveryCountIsNamed, format!("{counts:?} for {:?}", G::COUNTS)))
        })
    }

    fn check_replay(&self) -> Result<(), BrokenPromise> {
        let mut game = G::new(&self.options);
        let mut events = Vec::new();
        for step in &self.inputs {
            take(&mut game, step, &mut events)
                .map_err(|refusal| (Promise::InputsDecideTheState, refusal))?;
        }
        if game == self.game && events == self.history {
            return Ok(());
        }
        Err((Promise::InputsDecideTheState, format!("{game:?} instead of {:?}", self.game)))
    }
}

/// Goes on by one input, or says why it cannot.
fn take<G: Game>(
    game: &mut G,
    step: &GameInput<G>,
    events: &mut Vec<G::Event>,
) -> Result<(), String> {
    match step {
        GameInput::Chance(chance) => game.happen(chance, events).map_err(|error| error.to_string()),
        GameInput::Move(mv) => game.play(mv, events).map_err(|error| error.to_string()),
    }
}

/// The events that a seat sees of a step, and their running text.
type SeenEvents<G> = (Vec<<G as Game>::Event>, String);

/// A seat's view after a step, where the step is possible, and what the seat is told of it.
fn view_after<G: Game>(
    world: &G,
    step: &GameInput<G>,
    seat: Seat,
) -> (Option<G::View>, SeenEvents<G>) {
    let mut world = world.clone();
    let mut events = Vec::new();
    let view = take(&mut world, step, &mut events).ok().map(|()| world.view(seat));
    let seen: Vec<G::Event> = events.iter().filter_map(|event| seen_by(event, seat)).collect();
    let names = PerSeat::new(world.seats(), |seat| format!("seat-{seat}"));
    let text = seen.iter().map(|event| world.narrate(event, &names)).collect();
    (view, (seen, text))
}

/// The form of an event that seats see which do not own it.
fn seen_by_another<E: crate::Secret + Clone>(event: &E) -> Option<E> {
    event.owner().and_then(|_| event.public())
}

fn round_trip<T: Text + PartialEq + fmt::Debug>(value: &T) -> Result<(), BrokenPromise> {
    let text = value.to_string();
    let read: Result<T, NotText> = text.parse();
    match read {
        Ok(read) if read == *value => Ok(()),
        other => Err((Promise::TextRoundTrips, format!("`{text}` reads as {other:?}"))),
    }
}
