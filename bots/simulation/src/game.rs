//! One game between players of this process, typed from end to end.

use bots::programs::NoPlayersError;
use bots::{AnyPlayer, BadOption, NoMove, RequestPart};
use rules::{
    BotSeed, Entry, Game, GameTerms, ListCompleteness, Nature, NotText, PerSeat, Request,
    RequestHeading, Score, Seat, Turn, seen_by,
};
use workers::NoThread;

#[derive(Debug, Clone, PartialEq)]
pub struct CompletedGame<G: Game> {
    pub game: G,
    pub scores: PerSeat<Score>,
    pub events: Vec<G::Event>,
    /// The moves of those who were asked, in order.
    pub moves: Vec<G::Move>,
    /// For each seat, how many of its moves a time limit cut short.
    pub cuts: PerSeat<u32>,
}

/// A game cannot go on: a player found no legal move, or the rules owe a decision that they do not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StuckGame(String);

impl StuckGame {
    /// A player found no move, or one that is not legal; requests count from 0.
    pub(crate) fn player(seat: Seat, number: u32, problem: &str) -> StuckGame {
        StuckGame(format!("seat {seat} at move {number} {problem}"))
    }

    fn rules(problem: &str) -> StuckGame {
        StuckGame(format!("the rules cannot continue: {problem}"))
    }
}

/// Plays a game to its end between these players, by seat.
///
/// Requests are those that the referee would send, but for the parts that a player says it does
/// not read: these stay empty.
pub fn play<G: Game>(
    options: &G::Options,
    terms: &GameTerms,
    nature: &mut Nature,
    players: Vec<AnyPlayer<G>>,
) -> Result<CompletedGame<G>, StuckGame> {
    let mut game = G::new(options);
    let mut sitting: Vec<SeatSession<G>> = Seat::first(game.seats())
        .zip(players)
        .map(|(seat, player)| SeatSession::new(seat, player, &game, options, terms))
        .collect();
    let mut events = Vec::new();
    let mut moves = Vec::new();
    let mut number = 0;
    loop {
        match game.turn() {
            Turn::Over(scores) => {
                let cuts = sitting.iter().map(|sitting| sitting.cuts).collect::<Vec<_>>().into();
                return Ok(CompletedGame { game, scores, events, moves, cuts });
            }
            Turn::Nature => {
                let chance = game.sample(nature);
                let chance = chance.ok_or_else(|| StuckGame::rules("nature cannot decide"))?;
                let happened = game.happen(&chance, &mut events);
                happened.map_err(|impossible| StuckGame::rules(&impossible.to_string()))?;
            }
            Turn::Seat(seat) => {
                if let Some(forced) = game.forced() {
                    let played = game.play(&forced, &mut events);
                    played.map_err(|illegal| StuckGame::rules(&illegal.to_string()))?;
                    number += 1;
                    continue;
                }
                let stuck = |problem: String| StuckGame::player(seat, number, &problem);
                let asked = sitting.get_mut(seat.index());
                let asked = asked.ok_or_else(|| stuck("has no player".to_owned()))?;
                let mv = asked
                    .ask(&game, number, terms.bot_seeds.seed(seat, number), &events)
                    .map_err(|none| stuck(none.to_string()))?;
                game.play(&mv, &mut events)
                    .map_err(|illegal| stuck(format!("played `{mv}`: {illegal}")))?;
                moves.push(mv);
                number += 1;
            }
        }
    }
}

/// A player on its seat, with the request that it was sent last.
pub struct SeatSession<G: Game> {
    player: AnyPlayer<G>,
    request: Request<G>,
    /// Number of events that the history of the request tells, those included that it leaves out.
    told: usize,
    cuts: u32,
}

impl<G: Game> SeatSession<G> {
    /// Seats a player, before the first event of a game.
    pub fn new(
        seat: Seat,
        player: AnyPlayer<G>,
        game: &G,
        options: &G::Options,
        terms: &GameTerms,
    ) -> Self {
        let seed = BotSeed([0; 8]);
        let request = Request {
            options: options.clone(),
            heading: RequestHeading {
                id: terms.id,
                seat,
                number: 0,
                time: terms.times[seat].answer,
                bank: None,
                seed,
                retry: None,
            },
            view: game.view(seat),
            history: Vec::new(),
            legal: Vec::new(),
            // True of a list that is not made, too.
            listing: ListCompleteness::Cut,
        };
        SeatSession { player, request, told: 0, cuts: 0 }
    }

    /// Brings the request up to date, and has it answered.
    ///
    /// `events` are all events so far, as the referee sees them.
    pub fn ask(
        &mut self,
        game: &G,
        number: u32,
        seed: BotSeed,
        events: &[G::Event],
    ) -> Result<G::Move, NoMove> {
        let SeatSession { player, request, told, cuts } = self;
        let seat = request.heading.seat;
        request.heading.number = number;
        request.heading.seed = seed;
        request.view = game.view(seat);
        for part in player.reads() {
            match part {
                RequestPart::History => {
                    let new = events[*told..].iter().filter_map(|event| seen_by(event, seat));
                    request.history.extend(new.map(Entry::Event));
                    *told = events.len();
                }
                RequestPart::LegalMoves => {
                    request.legal.clear();
                    request.listing = game.legal_moves(&mut request.legal);
                }
            }
        }
        let mv = player.choose(request);
        *cuts += u32::from(player.cut().is_some());
        mv
    }
}

/// Reason why a simulation does not go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Options(#[from] NotText),
    #[error(transparent)]
    NoPlayers(#[from] NoPlayersError),
    #[error("{seats} seats and {players} players, expected one player for each seat")]
    Players { seats: usize, players: usize },
    #[error("bot `{name}`: {problem}")]
    Player { name: String, problem: BadOption },
    #[error("bot `{name}`: {refusal}")]
    Refused { name: String, refusal: String },
    #[error("game {game} of the simulation: {reason}")]
    Rules { game: u64, reason: String },
    /// A game cannot go on, which no built-in player should let happen.
    #[error("game {game} of the simulation: {problem}")]
    Stuck { game: u64, problem: StuckGame },
    #[error("{0}")]
    NoThread(String),
}

impl From<NoThread> for SimulationError {
    fn from(none: NoThread) -> SimulationError {
        SimulationError::NoThread(none.to_string())
    }
}
