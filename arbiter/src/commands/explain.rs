//! `arbiter explain`: all details of an answer in a log.

use std::io::{self, Write};
use std::iter;
use std::path::PathBuf;

use bots::review::reviewer_of;
use check::report::{abridged, cut};
use clap::Args;
use rules::record::{ClassicReply, FileChange};
use rules::{
    AnswerRecord, Digest, EscapedBytes, ListCompleteness, Measurements, Note, Notes, Question,
    Seat, TextDigest, Verdict,
};
use sandbox::{Limits, in_header};
use serde::Serialize;
use series::game_status::{AGAIN, GameStatus, Lateness, game_status, lateness};
use series::{PlayerKind, PlayerLine, Series, SuspectGames};
use text::excerpt::readable;
use text::failure::Failure;
use text::{counted, printable};

use crate::commands::request::nobody_was_asked;
use crate::disputes::{FaultSummary, GameReference, LoggedGame, RequestPlace, failure, open};
use crate::options::game::{GameOfLogArgs, must_have_number};
use crate::options::logs::log_argument;
use crate::options::{number, report_format};
use crate::output::{OutputFormat, json_line};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerFilter {
    /// All answers that were not ok.
    Faults,
    /// The answers at a move: at every chance, or at one of them.
    Move {
        number: u32,
        /// 0 for the first answer, or the number of a second chance.
        retry: Option<u32>,
    },
}

impl AnswerFilter {
    fn is(self, moment: RequestPlace, answer: &AnswerRecord) -> bool {
        match self {
            AnswerFilter::Faults => answer.verdict != Verdict::Ok,
            AnswerFilter::Move { number, retry } => {
                moment.number == number && retry.is_none_or(|retry| retry == moment.retry)
            }
        }
    }
}

/// `arbiter explain`.
#[derive(Debug, Args)]
#[command(after_help = "Without --game, explains the first fault and counts the rest.

Examples:
  arbiter explain
  arbiter explain match.jsonl
  arbiter explain match.jsonl --game 3
  arbiter explain match.jsonl --game 3 --move 12 --full")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    game: GameOfLogArgs,
    /// Move number, from 0 [default: all with a fault]
    #[arg(long = "move", value_name = "K", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// 0 for the first answer, 1 for the first retry [default: all]
    #[arg(long, value_name = "R", requires = "number", value_parser = number::<u32>("a retry number", 0..))]
    retry: Option<u32>,
    /// Do not abridge the request, output and standard error
    #[arg(long)]
    full: bool,
    /// Print JSON lines: one per answer, one for the result
    #[arg(long, conflicts_with = "full")]
    json: bool,
}

impl ExplainArgs {
    /// Explains the answers at a move, every answer of a game that was not ok, or the first one of a
    /// log.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExplainArgs { game, number, retry, full, json } = self;
        let (log, game) = game.locate()?;
        must_have_number(game.as_ref().map(|of| of.game), &[("--move", number.is_some())])?;
        let wanted =
            number.map_or(AnswerFilter::Faults, |number| AnswerFilter::Move { number, retry });
        let request = ExplainRequest { log, wanted, is_full: full, format: report_format(json) };
        match &game {
            Some(game) => of_game(&request, game, out),
            None => first_fault(&request, out),
        }
    }
}

#[derive(Debug)]
struct ExplainRequest {
    log: PathBuf,
    wanted: AnswerFilter,
    is_full: bool,
    format: OutputFormat,
}

fn of_game(
    request: &ExplainRequest,
    game: &GameReference,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let logged = LoggedGame::find(game)?;
    let (moments, explained) = explained(request, &logged)?;
    match (request.wanted, explained.len()) {
        (AnswerFilter::Move { number, .. }, 0) => {
            return Err(nobody_was_asked(game, number, &moments));
        }
        (AnswerFilter::Faults, 0) if request.format == OutputFormat::Text => {
            writeln!(out, "game {}: every answer was ok", game.game)?;
            if has_review(&logged.series) {
                let log = log_argument(&request.log);
                writeln!(out, "next: arbiter review{log} --game {}", game.game)?;
            }
        }
        _ => write_all(&explained, request.format, out)?,
    }
    if request.format == OutputFormat::Json {
        json_result(out, explained.len(), None)?;
    }
    Ok(())
}

fn first_fault(request: &ExplainRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let faults = FaultSummary::find(&request.log, None)?;
    let mut all = match &faults {
        Some(faults) => explained(request, &faults.first)?.1,
        None => Vec::new(),
    };
    all.truncate(1);
    write_all(&all, request.format, out)?;
    match (request.format, faults) {
        (OutputFormat::Json, faults) => json_result(out, all.len(), faults.as_ref())?,
        (OutputFormat::Text, None) => {
            let log = printable(&request.log.display().to_string());
            writeln!(out, "{log}: every answer was ok")?;
            let games = open(&request.log).map_err(|error| failure(&request.log, error))?;
            if has_review(games.series()) {
                writeln!(out, "next: arbiter review{}", log_argument(&request.log))?;
            }
        }
        (OutputFormat::Text, Some(faults)) => {
            if let Some(others) = faults.describe_others() {
                writeln!(out, "\n{others}")?;
            }
        }
    }
    Ok(())
}

/// Returns true if its games can be reviewed; those of a custom game cannot.
fn has_review(series: &Series) -> bool {
    reviewer_of(series.kind(), &series.header().options).is_some()
}

fn write_all(explained: &[String], format: OutputFormat, out: &mut dyn Write) -> io::Result<()> {
    let between = if format == OutputFormat::Text { "\n" } else { "" };
    write!(out, "{}", explained.join(between))
}

/// Every moment of a game, and a text for each wanted answer.
fn explained(
    request: &ExplainRequest,
    logged: &LoggedGame,
) -> Result<(Vec<RequestPlace>, Vec<String>), Failure> {
    let mut moments = Vec::new();
    let mut texts = Vec::new();
    logged
        .questions(&mut |moment, question, answer, measured| {
            moments.push(moment);
            if request.wanted.is(moment, answer) {
                let is_full = request.is_full;
                let explaining = ExplainedAnswer { logged, is_full, answer, measured };
                texts.push(match request.format {
                    OutputFormat::Text => explaining.text(moment, question),
                    OutputFormat::Json => json_answer(&explaining, moment, question),
                });
            }
        })
        .map_err(|error| failure(&request.log, error))?;
    Ok((moments, texts))
}

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ExplainJsonLine<'a> {
    Answer(Box<JsonExplainedAnswer<'a>>),
    Result { answers: usize, others: u64, games: &'a [u64] },
}

#[derive(Serialize)]
struct JsonExplainedAnswer<'a> {
    game: u64,
    attempt: u32,
    #[serde(rename = "move")]
    number: u32,
    retry: u32,
    seat: Seat,
    name: &'a str,
    command: &'a str,
    verdict: Verdict,
    detail: &'a str,
    reply: &'a EscapedBytes,
    classic: Option<&'a ClassicReply>,
    legal: Vec<String>,
    /// True if these are all legal moves.
    all_legal: bool,
    ms: f64,
    cpu_ms: Option<f64>,
    waited_ms: Option<f64>,
    referee_waited_ms: Option<f64>,
    /// For an answer that was too late.
    suspicion: Option<LateAnswer>,
    escaped: u32,
    stderr: EscapedBytes,
    /// The digest of standard error that is not here.
    stderr_private: Option<TextDigest>,
    stderr_dropped: u64,
    notes: Notes,
    #[serde(with = "in_header")]
    limits: Limits,
    asked: Digest,
    request: String,
}

/// The line of one answer, with its line end.
fn json_answer(
    explaining: &ExplainedAnswer<'_>,
    RequestPlace { number, retry, seat }: RequestPlace,
    question: &Question<'_>,
) -> String {
    let ExplainedAnswer { logged, answer, measured, .. } = explaining;
    let player = logged.series.players(logged.game.game)[seat];
    let (legal, listing) = question.legal_moves();
    let line = ExplainJsonLine::Answer(Box::new(JsonExplainedAnswer {
        game: logged.game.game,
        attempt: logged.game.attempt,
        number,
        retry,
        seat,
        name: &player.name,
        command: &player.command,
        verdict: answer.verdict,
        detail: &answer.detail,
        reply: &answer.reply,
        classic: answer.classic.as_ref(),
        legal: legal.to_vec(),
        all_legal: listing == ListCompleteness::Complete,
        ms: measured.ms,
        cpu_ms: measured.cpu_ms,
        waited_ms: measured.waited_ms,
        referee_waited_ms: measured.referee_waited_ms,
        suspicion: suspicion(logged, answer),
        escaped: measured.escaped,
        stderr: EscapedBytes(measured.stderr.bytes().to_vec()),
        stderr_private: measured.stderr.private(),
        stderr_dropped: measured.stderr_dropped,
        notes: measured.notes(),
        limits: player.limits,
        asked: answer.asked,
        request: String::from_utf8_lossy(&question.prompt().bytes()).into_owned(),
    }));
    // All of it has a form in JSON.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

fn json_result(
    out: &mut dyn Write,
    answers: usize,
    faults: Option<&FaultSummary>,
) -> io::Result<()> {
    let others = faults.map_or(0, |faults| faults.others);
    let games = faults.map_or(&[][..], |faults| &faults.games);
    json_line(out, &ExplainJsonLine::Result { answers, others, games })
}

/// The most legal moves shown in brief.
const MOVES: usize = 20;

/// The most lines of standard error shown in brief.
const LINES: usize = 20;

struct ExplainedAnswer<'a> {
    logged: &'a LoggedGame,
    /// False for as much as fits on a screen.
    is_full: bool,
    answer: &'a AnswerRecord,
    measured: &'a Measurements,
}

impl ExplainedAnswer<'_> {
    fn text(&self, moment: RequestPlace, question: &Question<'_>) -> String {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut text, moment, question);
        String::from_utf8_lossy(&text).into_owned()
    }

    fn write(
        &self,
        out: &mut dyn Write,
        moment: RequestPlace,
        question: &Question<'_>,
    ) -> io::Result<()> {
        let RequestPlace { number, retry, seat } = moment;
        let ExplainedAnswer { logged, answer, .. } = self;
        let player = logged.series.players(logged.game.game)[seat];
        let chance = if retry > 0 { format!(", retry {retry}") } else { String::new() };
        let (game, command) = (logged.game.game, printable(&player.command));
        let attempt = match logged.game.attempt {
            0 => String::new(),
            attempt => format!(", attempt {attempt}"),
        };
        writeln!(
            out,
            "game {game}{attempt}, move {number}{chance}: seat {seat}, {} (`{command}`)\n",
            player.name
        )?;
        let detail = printable(&answer.detail);
        let detail = if detail.is_empty() { "a legal move" } else { &detail };
        writeln!(out, "  verdict  {}: {detail}", answer.verdict)?;
        self.write_printed(out)?;
        self.write_legal(out, question)?;
        self.write_times(out, player, question)?;
        if let Some(suspicion) = suspicion(logged, answer) {
            let titles = iter::once("suspect").chain(iter::repeat(""));
            for (title, line) in titles.zip(suspicion.lines()) {
                writeln!(out, "  {title:<7}  {line}")?;
            }
        }
        self.write_notes(out)?;
        self.write_stderr(out)?;
        writeln!(out, "  limits   {}", player.limits.in_words())?;
        self.write_request(out, &question.prompt().bytes())
    }

    fn write_request(&self, out: &mut dyn Write, asked: &[u8]) -> io::Result<()> {
        let (text, digest) = (String::from_utf8_lossy(asked), self.answer.asked);
        let (lines, without) = match self.is_full {
            false => (abridged(&text), "; without its long lists"),
            true => (text.lines().map(str::to_owned).collect(), ""),
        };
        writeln!(
            out,
            "  request  {}, SHA-256 {digest}{without}:",
            counted(asked.len(), "byte", "bytes")
        )?;
        lines.iter().try_for_each(|line| writeln!(out, "           {line}"))
    }

    /// Bytes in one line, with their number where not all of them are shown.
    fn display_bytes(&self, bytes: &EscapedBytes) -> String {
        let text = bytes.to_string();
        let brief = cut(&text);
        match self.is_full {
            _ if text.is_empty() => "nothing".to_owned(),
            false if brief != text => {
                format!("{}: `{brief}`", counted(bytes.0.len(), "byte", "bytes"))
            }
            _ => format!("`{text}`"),
        }
    }

    fn write_printed(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.answer.classic {
            None => writeln!(out, "  printed  {}", self.display_bytes(&self.answer.reply)),
            Some(classic) => {
                let file = match classic.file {
                    FileChange::Appended => "appended",
                    FileChange::Rewritten => "FILE was changed; it holds",
                };
                writeln!(out, "  file     {file} {}", self.display_bytes(&self.answer.reply))?;
                writeln!(out, "  printed  {}", self.display_bytes(&classic.printed))
            }
        }
    }

    fn write_legal(&self, out: &mut dyn Write, question: &Question<'_>) -> io::Result<()> {
        let (moves, listing) = question.legal_moves();
        let more = match listing {
            ListCompleteness::Complete => "",
            ListCompleteness::Cut => " and more, not listed",
        };
        let words = match self.answer.classic {
            None => "",
            Some(_) => ", as written in the native dialect",
        };
        let most = if self.is_full { usize::MAX } else { MOVES };
        let mut shown = moves.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
        if moves.len() > most {
            shown.push_str(", …");
        }
        writeln!(out, "  legal    {}{more}{words}: {shown}", moves.len())
    }

    fn write_times(
        &self,
        out: &mut dyn Write,
        player: &PlayerLine,
        question: &Question<'_>,
    ) -> io::Result<()> {
        if self.logged.series.header().answering == PlayerKind::InProcess {
            return writeln!(out, "  time     not measured in a simulation");
        }
        let measured = self.measured;
        match player.is_person() {
            true => write!(out, "  time     {:.1} ms", measured.ms)?,
            false => {
                write!(out, "  time     {:.1} of {} ms", measured.ms, question.allowed().ms())?
            }
        }
        if let Some(bank) = question.bank() {
            write!(out, ", {} ms left in the time bank", bank.left)?;
        }
        if let Some(cpu) = measured.cpu_ms {
            write!(out, ", {cpu:.1} ms of CPU time")?;
        }
        if let Some(waited) = measured.waited_ms {
            write!(out, ", waiting for a CPU for {waited:.1} ms")?;
        }
        if let Some(waited) = measured.referee_waited_ms {
            write!(out, ", the referee waiting for {waited:.1} ms")?;
        }
        if measured.escaped > 0 {
            let processes = counted(measured.escaped, "process", "processes");
            write!(out, ", killed {processes} left running")?;
        }
        writeln!(out)
    }

    fn write_notes(&self, out: &mut dyn Write) -> io::Result<()> {
        let notes = self.measured.notes();
        let width = notes.iter().map(|note| note.key.as_str().len()).max().unwrap_or(0);
        let titles = iter::once("notes").chain(iter::repeat(""));
        titles.zip(notes.iter()).try_for_each(|(title, note)| {
            writeln!(out, "  {title:<7}  {:width$}  {}", note.key, note.value)
        })
    }

    fn write_stderr(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.measured.stderr.bytes();
        if let Some(TextDigest { sha256, bytes }) = self.measured.stderr.private() {
            let bytes = counted(bytes, "byte", "bytes");
            return writeln!(
                out,
                "  stderr   {bytes}, private: not stored with this log (SHA-256 {sha256})"
            );
        }
        if bytes.is_empty() {
            return writeln!(out, "  stderr   nothing");
        }
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        lines.pop_if(|last| last.is_empty());
        let all = lines.len();
        if !self.is_full {
            lines.retain(|line| Note::read(line).is_none());
        }
        // The last lines say what went wrong.
        let hidden = if self.is_full { 0 } else { lines.len().saturating_sub(LINES) };
        let dropped = self.measured.stderr_dropped;
        let first = match hidden {
            0 => None,
            1 => Some("its first line".to_owned()),
            hidden => Some(format!("its first {hidden} lines")),
        };
        let notes = (lines.len() < all).then(|| "its notes".to_owned());
        let without: Vec<String> = notes.into_iter().chain(first).collect();
        let without = match without.is_empty() {
            true => String::new(),
            false => format!("; without {}", without.join(" and ")),
        };
        let kept = counted(bytes.len(), "byte", "bytes");
        writeln!(out, "  stderr   {kept}, {dropped} more discarded{without}")?;
        for line in &lines[hidden..] {
            let line = readable(line);
            let line = if self.is_full { line } else { cut(&line) };
            writeln!(out, "           {line}")?;
        }
        Ok(())
    }
}

/// What is known of a late answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct LateAnswer {
    /// True if the machine may be to blame.
    suspect: bool,
    /// Milliseconds that the bot had.
    time_ms: f64,
    cpu_ms: Option<f64>,
    /// The wait of the bot and that of the referee.
    waited_ms: Option<f64>,
    least_wait_ms: f64,
    /// True if the game does not count, and is played again.
    replayed: bool,
    /// True if the series replays suspect games.
    replays_suspect: bool,
    #[serde(skip)]
    late: Lateness,
}

/// The suspicion about an answer, if it was too late.
fn suspicion(logged: &LoggedGame, answer: &AnswerRecord) -> Option<LateAnswer> {
    if answer.verdict != Verdict::Timeout {
        return None;
    }
    let LoggedGame { series, game, .. } = logged;
    let late = lateness(game, &series.times(game.game), answer.seat)?;
    let Lateness { time_ms, cpu_ms, waited_ms, least_wait_ms } = late;
    Some(LateAnswer {
        suspect: late.is_suspect(),
        time_ms,
        cpu_ms,
        waited_ms,
        least_wait_ms,
        replayed: game_status(game, series) == GameStatus::Again,
        replays_suspect: series.header().suspect_games == SuspectGames::PlayAgain,
        late,
    })
}

impl LateAnswer {
    /// The answer to the question, the numbers, and what follows, each in a line.
    fn lines(&self) -> Vec<String> {
        let verdict = match self.suspect {
            true => "yes: other programs used the CPU while the bot needed it",
            false => "no: the bot itself missed the time limit, as far as could be measured",
        };
        let mut lines = vec![verdict.to_owned()];
        lines.extend([self.cpu(), self.wait(), self.outcome()]);
        lines
    }

    fn cpu(&self) -> String {
        let half = self.time_ms / 2.0;
        match self.cpu_ms {
            None => "its CPU time was not measured".to_owned(),
            Some(cpu) => {
                let is = if self.late.has_little_cpu() { "below" } else { "not below" };
                format!(
                    "{cpu:.1} ms of CPU time, {is} half of {:.1} ms ({half:.1} ms)",
                    self.time_ms
                )
            }
        }
    }

    fn wait(&self) -> String {
        let least = self.least_wait_ms;
        match self.waited_ms {
            None => "its wait for a CPU was not measured".to_owned(),
            Some(waited) => {
                let is = if self.late.has_waited() { "at least" } else { "below" };
                format!("{waited:.1} ms waiting for a CPU (bot and referee), {is} {least:.1} ms")
            }
        }
    }

    fn outcome(&self) -> String {
        match (self.replayed, self.suspect, self.replays_suspect) {
            (true, ..) => "the game is unrated and is replayed (--replay-suspect)".to_owned(),
            (_, true, true) => {
                format!("the game is rated: it was replayed {AGAIN} times, the maximum")
            }
            (_, true, false) => {
                "the game is rated: use --replay-suspect to replay such games".to_owned()
            }
            (_, false, _) => {
                "the game is rated: --replay-suspect replays only suspect games".to_owned()
            }
        }
    }
}
