//! `arbiter request`: the request to a bot, byte for byte.

use std::io::Write;
use std::path::Path;

use clap::Args;
use rules::{AnswerRecord, Verdict};
use text::failure::Failure;
use text::printable;
use text::terminal::say;

use crate::disputes::{FaultSummary, GameReference, LoggedGame, RequestPlace, failure};
use crate::options::game::{GameOfLogArgs, must_have_number};
use crate::options::number;

/// `arbiter request`.
#[derive(Debug, Args)]
#[command(
    after_help = "In the classic dialect, the first line is the arguments after FILE, the rest is \
the content of FILE.

Examples:
  arbiter request match.jsonl | ./my-bot
  arbiter request match.jsonl --game 3 --move 12 | ./my-bot"
)]
pub(crate) struct RequestArgs {
    #[command(flatten)]
    game: GameOfLogArgs,
    /// Move number, from 0 [default: the first with a fault]
    #[arg(long = "move", value_name = "K", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// 0 for the first answer, 1 for the first retry [default: 0]
    #[arg(long, value_name = "R", requires = "number", value_parser = number::<u32>("a retry number", 0..))]
    retry: Option<u32>,
}

impl RequestArgs {
    /// Writes the exact bytes that were sent for a move, derived again and compared with the digest in the
    /// log. If that fails, nothing is written.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let RequestArgs { game, number, retry } = self;
        let (log, game) = game.locate()?;
        must_have_number(game.as_ref().map(|of| of.game), &[("--move", number.is_some())])?;
        let (Some(game), Some(number)) = (&game, number) else {
            return of_fault(&log, game.as_ref(), out);
        };
        let place = (number, retry.unwrap_or(0));
        let logged = LoggedGame::find(game)?;
        let (found, moments) =
            find(&log, &logged, |moment, _| (moment.number, moment.retry) == place)?;
        let (_, bytes) = found.ok_or_else(|| nobody_was_asked(game, number, &moments))?;
        Ok(out.write_all(&bytes)?)
    }
}

/// Writes the request of the first answer that was not ok, named on standard error.
fn of_fault(log: &Path, game: Option<&GameReference>, out: &mut dyn Write) -> Result<(), Failure> {
    let all_ok = || {
        let of = game.map_or(String::new(), |game| format!("game {}: ", game.game));
        let log = printable(&log.display().to_string());
        Failure::Usage(format!("{log}: {of}no faults: choose a move with --game and --move"))
    };
    let faults = FaultSummary::find(log, game)?.ok_or_else(all_ok)?;
    let is_fault = |_: RequestPlace, answer: &AnswerRecord| answer.verdict != Verdict::Ok;
    let (found, _) = find(log, &faults.first, is_fault)?;
    let (moment, bytes) = found.ok_or_else(all_ok)?;
    let (number, name) = (moment.number, faults.first.name(moment.seat));
    say(format!("note: game {}, move {number}, {name}", faults.first.game.game));
    if let Some(others) = faults.describe_others() {
        say(format!("note: {}", printable(&others)));
    }
    Ok(out.write_all(&bytes)?)
}

/// A place in a game with the bytes sent there.
type SentRequest = (RequestPlace, Vec<u8>);

/// The first wanted question of a game, and every moment with a question.
fn find(
    log: &Path,
    logged: &LoggedGame,
    is_wanted: impl Fn(RequestPlace, &AnswerRecord) -> bool,
) -> Result<(Option<SentRequest>, Vec<RequestPlace>), Failure> {
    let mut found = None;
    let mut moments = Vec::new();
    logged
        .questions(&mut |moment, question, answer, _| {
            if found.is_none() && is_wanted(moment, answer) {
                found = Some((moment, question.prompt().bytes()));
            }
            moments.push(moment);
        })
        .map_err(|error| failure(log, error))?;
    Ok((found, moments))
}

/// The failure if there was no question: it names the moments with one.
pub(super) fn nobody_was_asked(
    wanted: &GameReference,
    number: u32,
    moments: &[RequestPlace],
) -> Failure {
    let numbers = || moments.iter().map(|moment| moment.number);
    let chances = numbers().filter(|asked| *asked == number).count();
    let why = match (chances, numbers().min(), numbers().max()) {
        (_, None, _) | (_, _, None) => "it has no requests".to_owned(),
        (1.., ..) => format!("move {number} had {} retries", chances - 1),
        (0, Some(first), Some(last)) if (first..=last).contains(&number) => {
            format!("its move {number} has no request")
        }
        (_, Some(first), Some(last)) => format!("it has moves from {first} to {last}"),
    };
    Failure::Usage(format!("{}: game {}: {why}", wanted.log.display(), wanted.game))
}
