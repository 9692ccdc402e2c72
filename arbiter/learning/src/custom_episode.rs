//! An episode of a custom game, whose rules are not compiled in.
//!
//! Its moves and views are text, so there is little to number: an action is a place in the list of legal moves, and an
//! observation is the seat alone. What a seat knows is in its information state.

use std::fmt::Display;

use bots::programs::player;
use rules::custom::RestartPolicy;
use rules::request_text::LISTED;
use rules::{
    Answer, GameKind, GameRecord, GameTerms, Nature, NotText, Outcome, PerSeat, Referee,
    RefereeInput, Score, Seat, Step,
};
use simulation::TIME;

use crate::episode::{
    Deal, Episode, EpisodeError, FinishedGame, Layout, NOT_OF_A_DEAL, NOT_OVER, RowBuffer,
};

/// A custom game, played on until a seat is to move or it is over.
pub(crate) struct CustomEpisode {
    kind: GameKind,
    options: String,
    deal: Deal,
    nature: Nature,
    referee: Referee,
    turn: Option<Seat>,
    scores: Option<PerSeat<Score>>,
    legal: Vec<String>,
    actions: Vec<u16>,
    request: Option<String>,
    moves: Vec<String>,
    /// True if later cards are drawn from elsewhere than the deal.
    has_other_chance: bool,
}

impl CustomEpisode {
    pub(crate) fn new(
        kind: &GameKind,
        options: &str,
        deal: Deal,
    ) -> Result<CustomEpisode, EpisodeError> {
        let options = kind.check_options(options)?;
        let mut episode = CustomEpisode {
            referee: referee(kind, &options, &deal)?,
            nature: deal.seed.nature(deal.number),
            kind: kind.clone(),
            options,
            deal,
            turn: None,
            scores: None,
            legal: Vec::new(),
            actions: Vec::new(),
            request: None,
            moves: Vec::new(),
            has_other_chance: false,
        };
        episode.settle()?;
        Ok(episode)
    }

    /// Lets nature and the rules play until a seat is to move or the game is over.
    fn settle(&mut self) -> Result<(), EpisodeError> {
        (self.turn, self.scores, self.request) = (None, None, None);
        self.legal.clear();
        loop {
            match self.referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => draw.draw(&mut self.nature),
                Step::Ask(question) => {
                    self.turn = Some(question.seat());
                    (self.legal, _) = question.legal_moves();
                    self.legal.truncate(LISTED);
                    self.request = Some(question.request());
                    break;
                }
                Step::Over(Outcome::Void { reason }) => {
                    return Err(EpisodeError::of_rules(reason));
                }
                Step::Over(outcome) => {
                    self.scores = outcome.scores().cloned();
                    break;
                }
            }
        }
        self.actions = (0..self.legal.len() as u16).collect();
        Ok(())
    }

    /// Replays the game from its inputs.
    fn replayed(&self) -> Result<CustomEpisode, EpisodeError> {
        let mut copy = CustomEpisode::new(&self.kind, &self.options, self.deal.clone())?;
        copy.referee = referee(&self.kind, &self.options, &self.deal)?;
        let mut inputs = self.referee.inputs().iter();
        while inputs.len() > 0 {
            let changed = || EpisodeError::of_rules("it played out differently when repeated");
            match copy.referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => match inputs.next() {
                    Some(RefereeInput::Chance(chance)) => {
                        draw.happen(chance).map_err(|_| changed())?
                    }
                    _ => return Err(changed()),
                },
                Step::Ask(question) => match inputs.next() {
                    Some(RefereeInput::Answer(answer)) => {
                        question.answer(Answer::Output(answer.reply.0.clone()));
                    }
                    _ => return Err(changed()),
                },
                Step::Over(_) => return Err(changed()),
            }
        }
        copy.nature = self.nature.clone();
        copy.moves = self.moves.clone();
        copy.has_other_chance = self.has_other_chance;
        copy.settle()?;
        Ok(copy)
    }
}

fn terms(
    kind: &GameKind,
    options: &str,
    Deal { seed, number }: &Deal,
) -> Result<GameTerms, NotText> {
    Ok(GameTerms::even(seed.name(*number), kind.seats(options)?, TIME, seed.bots(*number)))
}

fn referee(kind: &GameKind, options: &str, deal: &Deal) -> Result<Referee, NotText> {
    Referee::with(kind, options, terms(kind, options, deal)?, RestartPolicy::InGame)
}

impl Episode for CustomEpisode {
    fn layout(&self) -> Layout {
        Layout {
            version: 0,
            options: self.options.clone(),
            seats: self.referee.seats(),
            columns: vec!["seat".to_owned()],
            actions: (0..LISTED).map(|place| format!("move {place}")).collect(),
            move_columns: Vec::new(),
        }
    }

    fn to_move(&self) -> Option<Seat> {
        self.turn
    }

    fn scores(&self) -> Option<&PerSeat<Score>> {
        self.scores.as_ref()
    }

    fn legal_actions(&self) -> &[u16] {
        &self.actions
    }

    fn text(&self, action: usize) -> Option<String> {
        self.legal.get(action).cloned()
    }

    fn number(&self, text: &str) -> Option<usize> {
        let spelt = self.kind.spelt(text)?;
        self.legal.iter().position(|legal| *legal == spelt)
    }

    fn act(&mut self, action: usize) -> Result<(), EpisodeError> {
        let Some(mv) = self.legal.get(action).cloned() else {
            return Err(EpisodeError::not_legal(action, &self.actions));
        };
        if let Step::Ask(question) = self.referee.step() {
            question.answer(Answer::Output(mv.clone().into_bytes()));
        }
        self.moves.push(mv);
        self.settle()
    }

    fn begin(&mut self, deal: u64) -> Result<(), EpisodeError> {
        let deal = Deal { number: deal, ..self.deal.clone() };
        *self = CustomEpisode::new(&self.kind, &self.options, deal)?;
        Ok(())
    }

    fn observe(&self, seat: Seat, row: &mut [i8]) {
        row.iter_mut().take(1).for_each(|column| *column = seat.index() as i8);
    }

    fn describe_moves(&self, rows: &mut RowBuffer) {
        rows.count += self.legal.len();
    }

    fn information_state(&self, seat: Seat) -> String {
        let mut text = format!("{}\nhistory", self.referee.view(seat));
        for line in self.referee.history_of(seat, 0) {
            text.push('\n');
            text.push_str(&line);
        }
        text
    }

    fn view(&self, seat: Seat) -> String {
        self.referee.view(seat)
    }

    fn request(&self) -> Option<String> {
        self.request.clone()
    }

    fn events(&self) -> Vec<String> {
        self.referee.history(0)
    }

    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn replay(&mut self, text: &str) -> Result<(), EpisodeError> {
        let number =
            self.number(text).ok_or_else(|| EpisodeError::not_replayed(text, "is not legal"))?;
        self.act(number)
    }

    fn copy(&self, chance: Option<&Deal>) -> Result<Box<dyn Episode>, EpisodeError> {
        let mut copy = self.replayed()?;
        if let Some(chance) = chance {
            copy.nature = chance.seed.nature(chance.number);
            copy.deal = chance.clone();
            copy.has_other_chance = true;
        }
        Ok(Box::new(copy))
    }

    /// None: these rules do not say which other games a seat thinks possible.
    fn resample(&self, _: Seat, _: &Deal) -> Option<Box<dyn Episode>> {
        None
    }

    fn ask(&self, program: &str, options: &[String]) -> Result<usize, EpisodeError> {
        let stuck = |problem: &dyn Display| EpisodeError::of_player(program, problem);
        let request = self.request.as_ref().ok_or_else(|| stuck(&"the game is over"))?;
        let player = player(&self.kind, program, options);
        let mv = player.map_err(|problem| stuck(&problem))?.answer(request);
        let mv = mv.map_err(|failure| stuck(&failure))?;
        self.number(&mv).ok_or_else(|| stuck(&format_args!("chose `{mv}`, which is not listed")))
    }

    fn record(&self, game: u64, players: &[String]) -> Result<GameRecord, String> {
        let scores = self.scores.as_ref().ok_or(NOT_OVER)?;
        if self.has_other_chance {
            return Err(NOT_OF_A_DEAL.to_owned());
        }
        let CustomEpisode { kind, options, deal, moves, .. } = self;
        let terms = terms(kind, options, deal).map_err(|problem| problem.to_string())?;
        let finished = FinishedGame { kind, options, deal, terms, scores, moves: moves.clone() };
        finished.record(game, players)
    }
}
