//! `arbiter explain`: all that a log tells of an answer.

use std::io::{self, Write};

use bytesize::ByteSize;
use rules::text::printable;
use rules::{Answered, Listing, Measured, Question};

use crate::commands::request::{AskedMove, nobody_was_asked};
use crate::failure::Failure;
use crate::log::{LimitsLine, PlayerLine};
use crate::recall::{Moment, Recalled, failure};
use crate::report::abridged::{abridged, cut};

/// How many legal moves are shown.
const MOVES: usize = 20;

/// How many lines of standard error are shown.
const LINES: usize = 20;

/// Explains the answers at a move, or every answer of a game that was a fault.
///
/// # Errors
///
/// As for [`request`](super::request::run).
pub fn run(asked: &AskedMove, wanted: Wanted, out: &mut dyn Write) -> Result<(), Failure> {
    let recalled = Recalled::find(&asked.log, asked.game)?;
    let mut moments = Vec::new();
    let mut explained = Vec::new();
    recalled
        .questions(&mut |moment, question, answer, measured| {
            moments.push(moment);
            let is_wanted = match wanted {
                Wanted::Faults => answer.verdict.is_fault(),
                Wanted::Move => {
                    moment.number == asked.number
                        && asked.retry.is_none_or(|retry| retry == moment.retry)
                }
            };
            if is_wanted {
                explained.push(explanation(&recalled, moment, question, answer, measured));
            }
        })
        .map_err(|error| failure(&asked.log, error))?;
    match (wanted, explained.as_slice()) {
        (Wanted::Move, []) => Err(nobody_was_asked(&asked.log, asked, &moments)),
        (Wanted::Faults, []) => {
            writeln!(out, "game {}: every answer was ok", asked.game)?;
            Ok(())
        }
        (_, texts) => Ok(write!(out, "{}", texts.join("\n"))?),
    }
}

/// Which answers are to be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Those at the move that is named.
    Move,
    /// Those that were faults.
    Faults,
}

fn explanation(
    recalled: &Recalled,
    moment: Moment,
    question: &Question<'_>,
    answer: &Answered,
    measured: &Measured,
) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_explanation(&mut text, recalled, moment, question, answer, measured);
    String::from_utf8_lossy(&text).into_owned()
}

fn write_explanation(
    out: &mut dyn Write,
    recalled: &Recalled,
    moment: Moment,
    question: &Question<'_>,
    answer: &Answered,
    measured: &Measured,
) -> io::Result<()> {
    let Moment { number, retry, seat } = moment;
    let player = recalled.series.players(recalled.game.game)[seat];
    let chance = if retry > 0 { format!(", second chance {retry}") } else { String::new() };
    let game = recalled.game.game;
    let command = printable(&player.command);
    writeln!(
        out,
        "game {game}, move {number}{chance}: seat {seat}, {} (`{command}`)\n",
        player.name
    )?;
    let detail = printable(&answer.detail);
    let detail = if detail.is_empty() { "a legal move" } else { &detail };
    writeln!(out, "  verdict  {}: {detail}", answer.verdict)?;
    write_printed(out, answer)?;
    write_legal(out, question)?;
    write_times(out, measured, player)?;
    write_stderr(out, measured)?;
    writeln!(out, "  limits   {}", limits(&player.limits))?;
    let asked = question.asked().bytes();
    writeln!(
        out,
        "  request  {} bytes, SHA-256 {}; without its long lists:",
        asked.len(),
        answer.asked
    )?;
    for line in abridged(&String::from_utf8_lossy(&asked)) {
        writeln!(out, "           {line}")?;
    }
    Ok(())
}

fn write_printed(out: &mut dyn Write, answer: &Answered) -> io::Result<()> {
    let shown = |text: &rules::Escaped| match text.0.len() {
        0 => "nothing".to_owned(),
        _ => format!("`{}`", cut(&text.to_string())),
    };
    match &answer.classic {
        None => writeln!(out, "  printed  {}", shown(&answer.reply)),
        Some(classic) => {
            let file = match classic.file {
                rules::record::FileChange::Appended => "appended",
                rules::record::FileChange::Rewritten => "FILE was changed; it holds",
            };
            writeln!(out, "  file     {file} {}", shown(&answer.reply))?;
            writeln!(out, "  printed  {}", shown(&classic.printed))
        }
    }
}

fn write_legal(out: &mut dyn Write, question: &Question<'_>) -> io::Result<()> {
    let (moves, listing) = question.legal_moves();
    let more = match listing {
        Listing::Complete => "",
        Listing::Cut => " and others that are not listed",
    };
    let mut shown = moves.iter().take(MOVES).cloned().collect::<Vec<_>>().join(", ");
    if moves.len() > MOVES {
        shown.push_str(", …");
    }
    writeln!(out, "  legal    {}{more}: {shown}", moves.len())
}

fn write_times(out: &mut dyn Write, measured: &Measured, player: &PlayerLine) -> io::Result<()> {
    write!(out, "  time     {:.1} of {} ms", measured.ms, player.limits.time_ms)?;
    if let Some(cpu) = measured.cpu_ms {
        write!(out, ", {cpu:.1} ms of CPU time")?;
    }
    if let Some(waited) = measured.waited_ms {
        write!(out, ", ready to run for {waited:.1} ms while others had the processors")?;
    }
    if measured.escaped > 0 {
        write!(out, ", {} escaped processes killed", measured.escaped)?;
    }
    writeln!(out)
}

fn write_stderr(out: &mut dyn Write, measured: &Measured) -> io::Result<()> {
    let bytes = &measured.stderr.0;
    if bytes.is_empty() {
        return writeln!(out, "  stderr   nothing");
    }
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let lines = lines.strip_suffix(&[&b""[..]]).unwrap_or(&lines);
    // The last lines are those that tell what went wrong.
    let hidden = lines.len().saturating_sub(LINES);
    let dropped = measured.stderr_dropped;
    writeln!(
        out,
        "  stderr   {} bytes, {dropped} more dropped{}",
        bytes.len(),
        match hidden {
            0 => String::new(),
            hidden => format!("; without its first {hidden} lines"),
        }
    )?;
    for line in &lines[hidden..] {
        let line = rules::Escaped(line.to_vec()).to_string();
        writeln!(out, "           {}", cut(&line))?;
    }
    Ok(())
}

fn limits(limits: &LimitsLine) -> String {
    let mut told = vec![format!("{} ms", limits.time_ms)];
    told.extend(limits.cpu_ms.map(|cpu| format!("{cpu} ms of CPU time")));
    told.push(format!("{} of memory", ByteSize(limits.memory_bytes)));
    told.extend(limits.address_space_bytes.map(|it| format!("{} of address space", ByteSize(it))));
    told.push(format!("{} processes", limits.processes));
    told.push(format!("{} of output", ByteSize(limits.answer_bytes)));
    told.join(", ")
}
