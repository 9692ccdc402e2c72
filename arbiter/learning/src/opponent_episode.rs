//! An episode in which built-in players have all seats but one.

use bots::programs::{NoPlayersError, typed_player};
use rules::{GameKind, GameRecord, PerSeat, Score, Seat};
use simulation::SeatSession;

use crate::columns::Learnable;
use crate::episode::{Deal, Episode, EpisodeError, Layout, RowBuffer};
use crate::typed_episode::TypedEpisode;

/// A built-in player that has the seats which the learner has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    /// The program's name, such as `greedy`.
    pub program: String,
    pub options: Vec<String>,
    /// The learner's seat. By default, deal `n` has the learner on seat `n` modulo the number of seats.
    pub learner: Option<usize>,
}

impl Opponent {
    /// Begins an episode against it. It has already moved where it is first.
    ///
    /// # Errors
    ///
    /// [`EpisodeError`], as for wrong options of the game or of the player.
    pub fn begin(
        &self,
        kind: &GameKind,
        options: &str,
        deal: Deal,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        self.resume(kind, options, deal, &[])
    }

    /// Begins an episode against it in which these moves of all seats were played.
    ///
    /// # Errors
    ///
    /// [`EpisodeError`], as for wrong options or a move that is not legal.
    pub(crate) fn resume(
        &self,
        kind: &GameKind,
        options: &str,
        deal: Deal,
        moves: &[String],
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        macro_rules! find {
            ($($game:ty),*) => {
                $(if *kind == GameKind::of::<$game>() {
                    let episode = TypedEpisode::<$game>::new(options, deal)?;
                    return Ok(Box::new(EpisodeAgainstOpponent::begin(self, episode, moves)?));
                })*
            };
        }
        rules::games!(find);
        Err(NoPlayersError(kind.clone()).into())
    }
}

struct EpisodeAgainstOpponent<G: Learnable> {
    episode: TypedEpisode<G>,
    opponent: Opponent,
    /// The players by seat; the learner's seat has none.
    sitting: Vec<Option<SeatSession<G>>>,
}

impl<G: Learnable> EpisodeAgainstOpponent<G> {
    /// Goes on with an episode that has just begun by these moves of all seats.
    fn begin(
        opponent: &Opponent,
        episode: TypedEpisode<G>,
        moves: &[String],
    ) -> Result<Self, EpisodeError> {
        let seats = episode.game.seats();
        if let Some(seat) = opponent.learner.filter(|seat| *seat >= seats) {
            return Err(EpisodeError::NoSeat { seat, seats });
        }
        if let Some(problem) = G::refusal(&opponent.program, &episode.options) {
            return Err(EpisodeError::Stuck { program: opponent.program.clone(), problem });
        }
        let deal = episode.deal.number;
        let mut against =
            EpisodeAgainstOpponent { episode, opponent: opponent.clone(), sitting: Vec::new() };
        against.sit_down(deal)?;
        moves.iter().try_for_each(|mv| against.replay(mv))?;
        against.answer()?;
        Ok(against)
    }

    /// New players take their seats.
    fn sit_down(&mut self, deal: u64) -> Result<(), EpisodeError> {
        let Opponent { program, options, learner } = &self.opponent;
        let TypedEpisode { game, options: rules, .. } = &self.episode;
        let (seats, terms) = (game.seats(), self.episode.terms());
        let learner = learner.unwrap_or((deal % seats as u64) as usize);
        self.sitting = Seat::first(seats)
            .map(|seat| {
                if seat.index() == learner {
                    return Ok(None);
                }
                let player = typed_player::<G>(program, options).map_err(|problem| {
                    EpisodeError::Player { program: program.clone(), problem }
                })?;
                Ok(Some(SeatSession::new(seat, player, game, rules, &terms)))
            })
            .collect::<Result<_, EpisodeError>>()?;
        Ok(())
    }

    /// Lets the opponents move until the learner is to move or the game is over.
    fn answer(&mut self) -> Result<(), EpisodeError> {
        while let Some(seat) = self.episode.to_move() {
            let Some(sitting) = self.sitting.get_mut(seat.index()).and_then(Option::as_mut) else {
                break;
            };
            let TypedEpisode { game, number, events, .. } = &self.episode;
            let seed = self.episode.terms().bot_seeds.seed(seat, *number);
            let stuck = |problem: String| EpisodeError::Stuck {
                program: self.opponent.program.clone(),
                problem,
            };
            let mv =
                sitting.ask(game, *number, seed, events).map_err(|none| stuck(none.to_string()))?;
            if let Err(illegal) = game.check(&mv) {
                return Err(stuck(format!("played `{mv}`: {illegal}")));
            }
            self.episode.play(mv);
        }
        Ok(())
    }
}

impl<G: Learnable> Episode for EpisodeAgainstOpponent<G> {
    fn layout(&self) -> Layout {
        self.episode.layout()
    }

    fn to_move(&self) -> Option<Seat> {
        self.episode.to_move()
    }

    fn scores(&self) -> Option<&PerSeat<Score>> {
        self.episode.scores()
    }

    fn legal_actions(&self) -> &[u16] {
        self.episode.legal_actions()
    }

    fn text(&self, action: usize) -> Option<String> {
        self.episode.text(action)
    }

    fn number(&self, text: &str) -> Option<usize> {
        self.episode.number(text)
    }

    fn act(&mut self, action: usize) -> Result<(), EpisodeError> {
        self.episode.act(action)?;
        self.answer()
    }

    fn begin(&mut self, deal: u64) -> Result<(), EpisodeError> {
        self.episode.begin(deal)?;
        self.sit_down(deal)?;
        self.answer()
    }

    fn observe(&self, seat: Seat, row: &mut [i8]) {
        self.episode.observe(seat, row);
    }

    fn describe_moves(&self, rows: &mut RowBuffer) {
        self.episode.describe_moves(rows);
    }

    fn information_state(&self, seat: Seat) -> String {
        self.episode.information_state(seat)
    }

    fn view(&self, seat: Seat) -> String {
        self.episode.view(seat)
    }

    fn request(&self) -> Option<String> {
        self.episode.request()
    }

    fn events(&self) -> Vec<String> {
        self.episode.events()
    }

    fn moves(&self) -> Vec<String> {
        self.episode.moves()
    }

    /// A player whose move it was thinks again, and learns what it learned then. With a time limit it may find
    /// another move, which does not count.
    fn replay(&mut self, mv: &str) -> Result<(), EpisodeError> {
        let seat = self.episode.to_move();
        let sitting = seat.and_then(|seat| self.sitting.get_mut(seat.index()));
        if let (Some(seat), Some(Some(sitting))) = (seat, sitting) {
            let TypedEpisode { game, number, events, .. } = &self.episode;
            let seed = self.episode.terms().bot_seeds.seed(seat, *number);
            let _ = sitting.ask(game, *number, seed, events);
        }
        self.episode.replay(mv)
    }

    /// A copy in which no built-in player has a seat: a search plays all of them.
    fn copy(&self, chance: Option<&Deal>) -> Result<Box<dyn Episode>, EpisodeError> {
        self.episode.copy(chance)
    }

    fn resample(&self, seat: Seat, chance: &Deal) -> Option<Box<dyn Episode>> {
        self.episode.resample(seat, chance)
    }

    fn ask(&self, program: &str, options: &[String]) -> Result<usize, EpisodeError> {
        self.episode.ask(program, options)
    }

    fn record(&self, game: u64, players: &[String]) -> Result<GameRecord, String> {
        self.episode.record(game, players)
    }
}
