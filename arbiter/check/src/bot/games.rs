//! Games of the bot against the built-in `random`.

use std::io;
use std::time::Duration;

use bots::Answers;
use bots::programs::{self, RANDOM};
use rules::own::Renewal;
use rules::{
    Answer, AnswerRecord, Dialect, GameKind, Input, Measured, Outcome, PerSeat, Prompt, Referee,
    Ruling, Sample, Seat, SeatTime, Terms, Verdict, Void,
};

use crate::bot::asking::Asker;
use crate::bot::context::{Check, Setting, Stopped, machine};
use crate::bot::evidence::fault;
use crate::bot::step::{Step, StepName};
use crate::report::Listener;
use contest::playing::game;
use contest::playing::{Player, Reply};
use contest::tournament::estimate::GamePace;
use series::seat_time;
use text::counted;

/// Plays games until the bot faults, and reports them as one step.
///
/// The bot takes every seat in turn. For a bot of the classic dialect the games are one match, in
/// which it keeps its folder.
pub(super) fn games(
    check: &Check<'_>,
    setting: &Setting,
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Stopped> {
    let kind = &setting.kind;
    let name = StepName::Games(kind.to_string());
    asker.begin(&name);
    if check.games == 0 {
        return Ok(listener.found(Step::skipped(name, "none asked for"))?);
    }
    if let Some(skipped) = asker.gives_up(&name) {
        return Ok(listener.found(skipped)?);
    }
    asker.refresh()?;
    let (mut answers, mut ms) = (0, 0.0);
    let mut second_chances = 0;
    for game in 0..check.games {
        listener.begins(&format!("{kind} game {} of {}", game + 1, check.games));
        let played = play(check, setting, game, asker)?;
        answers += played.answers;
        ms += played.ms;
        second_chances += played.wrong;
        if let Some(step) = played.fault {
            return Ok(listener.found(step)?);
        }
    }
    let pace = GamePace { games: check.games, answers: answers as u64, ms };
    let games = counted(check.games, "game", "games");
    let answers = counted(answers, "answer", "answers");
    let note = format!("{games} against {}, {answers}", RANDOM.name);
    let step = match second_chances {
        0 => Step::passed(name, note),
        count => Step::warning(name, format!("{note}, {count} of them on a retry")),
    };
    Ok(listener.found(step.at_pace(pace))?)
}

struct Played {
    answers: usize,
    /// Time of its answers in milliseconds.
    ms: f64,
    wrong: usize,
    fault: Option<Step>,
}

fn play(
    check: &Check<'_>,
    Setting { kind, options }: &Setting,
    game: u64,
    asker: &mut Asker,
) -> Result<Played, Stopped> {
    let seed = check.seed;
    let set_up = |error| machine("cannot set up a game", error);
    let seats = kind.seats(options).map_err(set_up)?;
    let seat = (game % seats as u64) as usize;
    let of_seat = |it: Seat| if it.index() == seat { asker.dialect() } else { Dialect::Native };
    let of_others = SeatTime::even(check.time_ms());
    let own = seat_time(check.limits(), check.contender.mode);
    let terms = Terms {
        dialects: PerSeat::new(seats, of_seat),
        times: PerSeat::new(seats, |it| if it.index() == seat { own } else { of_others }),
        retries: check.retries,
        ..Terms::even(seed.name(game), seats, check.time_ms(), seed.bots(game))
    };
    let mut referee = Referee::with(kind, options, terms, Renewal::InGame).map_err(set_up)?;
    let others: Result<Vec<Opponent>, Stopped> = (1..seats).map(|_| Opponent::new(kind)).collect();
    let mut others = others?;
    asker.new_game().map_err(|error| machine("cannot make a scratch folder", error))?;
    let mut players: Vec<&mut dyn Player> =
        others.iter_mut().map(|other| other as &mut dyn Player).collect();
    players.insert(seat, asker);
    let nature = &mut seed.nature(game);
    let played = game::play(&mut referee, nature, &mut players.into(), &mut |_| {});
    if let Outcome::Void { reason } = played.outcome {
        return Err(Stopped::Machine(reason));
    }
    // The opponents answer in this process, and have no times.
    let ms = played.measured.iter().map(|measured| measured.ms).sum();
    let inputs = referee.inputs().iter();
    let given: Vec<&AnswerRecord> = inputs
        .filter_map(|input| match input {
            Input::Answer(answer) if answer.seat.index() == seat => Some(answer),
            Input::Answer(_) | Input::Chance(_) => None,
        })
        .collect();
    // A seat is not asked again after a fault; a second chance has another answer after it.
    let wrong = given.last().filter(|answer| answer.verdict != Verdict::Ok);
    let fault = wrong.zip(asker.last()).map(|(answer, exchange)| {
        let ruling = Ruling { verdict: answer.verdict, detail: answer.detail.clone() };
        let sample = match &exchange.prompt {
            Prompt::Request(request) => Sample::read(request).ok(),
            Prompt::Classic { .. } => None,
        };
        let place = format!("game {} of {}, seat {seat}, ", game + 1, check.games);
        let name = StepName::Games(kind.to_string());
        fault(&name, &place, (exchange, &ruling), sample.as_ref(), check)
    });
    let wrong = given.iter().filter(|answer| answer.verdict != Verdict::Ok).count();
    Ok(Played { answers: given.len(), ms, wrong, fault })
}

/// The built-in `random`, in this process.
pub(super) struct Opponent(Box<dyn Answers>);

impl Opponent {
    pub(super) fn new(kind: &GameKind) -> Result<Opponent, Stopped> {
        let player = programs::player(kind, RANDOM.name, &[]);
        player.map(Opponent).map_err(|error| machine("no opponent", error))
    }
}

impl Player for Opponent {
    fn new_game(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt, _: Option<Duration>) -> Reply {
        let answer = match prompt {
            Prompt::Request(request) => self.0.answer(request).map_err(|error| error.to_string()),
            Prompt::Classic { .. } => Err("random is asked in another dialect".to_owned()),
        };
        let answer = match answer {
            Ok(text) => Answer::Output(text.into_bytes()),
            Err(why) => Answer::Void(Void::worded(why)),
        };
        Reply { answer, measured: Measured::default() }
    }
}
