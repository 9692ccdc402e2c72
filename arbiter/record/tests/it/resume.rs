//! Going on with a log that was cut off: at every byte of its last lines.

use std::fs;
use std::io::BufRead;

use record::{Line, LineError, LogFileError, LogLine, LogProblem, LogReader, LogWriter};

const LOG: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tournaments/coup/games.jsonl");

/// The number of lines of the log that are used.
const LINES: usize = 4;

/// The first lines of a log with their line ends, and what they hold.
fn lines() -> (Vec<String>, Vec<Line>) {
    let text = fs::read_to_string(LOG).unwrap();
    let texts: Vec<String> = text.split_inclusive('\n').take(LINES).map(str::to_owned).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, texts.concat()).unwrap();
    let mut lines = Vec::new();
    LogWriter::resume(&path, |reader| {
        while let Some(read) = next_line(reader)? {
            lines.push(read.line);
        }
        Ok::<_, LogFileError>(())
    })
    .unwrap();
    (texts, lines)
}

/// The next line, or nothing where the rest is cut off.
fn next_line<R: BufRead>(reader: &mut LogReader<R>) -> Result<Option<LogLine>, LogFileError> {
    match reader.next_line() {
        Err(LineError::Torn) => Ok(None),
        Err(bad) => unreachable!("line {} {bad}", reader.number()),
        Ok(read) => Ok(read),
    }
}

#[test]
fn cut_at_every_byte_of_its_last_three_lines_it_goes_on_to_the_same_log() {
    let (texts, lines) = lines();
    let whole = texts.concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let last_three = whole.len() - texts[LINES - 3..].concat().len();
    for cut in last_three..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut seen = 0;
        let (mut log, ()) = LogWriter::resume(&path, |reader| {
            while let Some(read) = next_line(reader)? {
                seen += 1;
                assert_eq!(read.number, seen);
                assert_eq!(read.line, lines[seen - 1], "cut after {cut} bytes");
            }
            Ok::<_, LogFileError>(())
        })
        .unwrap();
        let left = whole[..cut].matches('\n').count();
        assert_eq!(seen, left, "cut after {cut} bytes");
        assert_eq!(fs::read_to_string(&path).unwrap(), texts[..left].concat());
        lines[left..].iter().for_each(|line| log.append(line).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "cut after {cut} bytes");
    }
}

#[test]
fn what_was_changed_is_refused_and_left_as_it_is() {
    let (texts, _) = lines();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let changed = texts.concat().replacen("\"deal\":0", "\"deal\":1", 1);
    let removed = [&texts[..2], &texts[3..]].concat().concat();
    for (spoilt, number, found) in [
        (changed, 2, "was modified"),
        (removed, 3, "does not follow the previous line"),
        (format!("{}\0\0\0\n", texts.concat()), LINES + 1, "does not end in"),
    ] {
        fs::write(&path, &spoilt).unwrap();
        // Lines that `read` does not read are checked, too.
        match LogWriter::resume(&path, |_| Ok::<_, LogFileError>(())) {
            Err(LogFileError::Wrong(LogProblem { line, problem, .. })) => {
                assert_eq!(line, number, "{problem}");
                assert!(problem.contains(found), "{problem}");
            }
            other => unreachable!("{other:?}"),
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), spoilt);
    }
}
