//! Logs that are compressed: written, cut off at every byte, damaged at every byte, resumed.

use std::fs;
use std::io::{BufRead, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use record::verify::{VerifyOptions, verify};
use record::{Line, LineError, LogFileError, LogReader, LogWriter};

const LOG: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tournaments/coup/games.jsonl");

/// The whole log, as text and as lines.
fn example() -> (String, Vec<Line>) {
    let text = fs::read_to_string(LOG).unwrap();
    let mut reader = LogReader::new(text.as_bytes());
    let mut lines = Vec::new();
    while let Some(read) = reader.next_line().unwrap() {
        lines.push(read.line);
    }
    (text, lines)
}

/// Writes these lines to a compressed log, and returns its bytes after each of them.
fn written(path: &Path, lines: &[Line]) -> Vec<Vec<u8>> {
    let mut log = LogWriter::create(path).unwrap();
    let append = |line| {
        log.append(line).unwrap();
        fs::read(path).unwrap()
    };
    lines.iter().map(append).collect()
}

/// What another program finds in a file of gzip, which must be whole.
fn decompressed(bytes: &[u8]) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

/// The number of lines that can be read, each the one that was written, and the problem after them.
fn readable(path: &Path, lines: &[Line]) -> (usize, Option<LineError>) {
    let mut reader = LogReader::new(record::open(path).unwrap());
    let mut seen = 0;
    loop {
        match reader.next_line() {
            Ok(Some(read)) => {
                assert_eq!(read.line, lines[seen]);
                seen += 1;
            }
            Ok(None) => return (seen, None),
            Err(bad) => return (seen, Some(bad)),
        }
    }
}

/// Compresses by one member with the name of a file, as other programs do.
fn by_another_program(text: &[u8]) -> Vec<u8> {
    let name = GzBuilder::new().filename("games.jsonl").mtime(1_700_000_000);
    let mut gzip = name.write(Vec::new(), Compression::best());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn a_compressed_log_is_the_same_log_in_a_third_of_the_bytes_or_less() {
    let (text, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    let grown = written(&path, &lines);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(grown.last().unwrap(), &bytes, "its end closes it");
    assert_eq!(decompressed(&bytes), text);
    assert!(bytes.len() * 3 < text.len(), "{} of {} bytes", bytes.len(), text.len());
    let [plain, compressed] =
        [Path::new(LOG), &path].map(|path| verify(path, VerifyOptions::QUIET).unwrap());
    assert_eq!(plain, compressed);
}

#[test]
fn each_line_can_be_read_once_it_is_written_and_a_dropped_writer_closes_the_file() {
    let (text, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    let copy = folder.path().join("copy");
    let grown = written(&path, &lines[..6]);
    for (place, bytes) in grown.iter().enumerate() {
        fs::write(&copy, bytes).unwrap();
        assert!(matches!(readable(&copy, &lines), (seen, None) if seen == place + 1));
    }
    let begun: String = text.split_inclusive('\n').take(6).collect();
    assert_eq!(decompressed(&fs::read(&path).unwrap()), begun);
}

#[test]
fn cut_at_every_byte_of_its_last_line_it_goes_on_to_the_same_log() {
    let (text, lines) = example();
    let (lines, begun) = (&lines[..5], text.split_inclusive('\n').take(5).collect::<String>());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    let grown = written(&path, lines);
    let closed = fs::read(&path).unwrap();
    for cut in grown[3].len() - 20..=closed.len() {
        fs::write(&path, &closed[..cut]).unwrap();
        let whole = grown.iter().filter(|bytes| bytes.len() <= cut).count();
        let (seen, bad) = readable(&path, lines);
        // A flush ends in bytes that say nothing, without which the line can be read, too.
        assert!(seen >= whole && matches!(bad, None | Some(LineError::Torn)), "cut after {cut}");
        let resumed = LogWriter::resume(&path, |_| Ok::<_, LogFileError>(()));
        match resumed {
            Ok((mut log, ())) => lines[seen..].iter().for_each(|line| log.append(line).unwrap()),
            Err(problem) => panic!("cut after {cut}: {problem}"),
        }
        assert_eq!(decompressed(&fs::read(&path).unwrap()), begun, "cut after {cut} bytes");
    }
}

#[test]
fn a_log_that_is_killed_again_and_again_is_the_same_log() {
    let (text, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    let mut log = LogWriter::create(&path).unwrap();
    for (place, line) in lines.iter().enumerate() {
        log.append(line).unwrap();
        if place % 7 == 3 && place + 1 < lines.len() {
            let before = fs::metadata(&path).unwrap().len();
            log.append(&lines[place + 1]).unwrap();
            let bytes = fs::read(&path).unwrap();
            drop(log);
            let cut = (before as usize + bytes.len()) / 2;
            fs::write(&path, &bytes[..cut]).unwrap();
            let resumed = LogWriter::resume(&path, |_| Ok::<_, LogFileError>(()));
            log = resumed.unwrap_or_else(|problem| panic!("line {place}: {problem}")).0;
        }
    }
    drop(log);
    assert_eq!(decompressed(&fs::read(&path).unwrap()), text);
    verify(&path, VerifyOptions::QUIET).unwrap();
}

#[test]
fn a_changed_byte_is_never_another_line_and_is_mostly_found_with_its_place() {
    let (_, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    written(&path, &lines[..3]);
    let bytes = fs::read(&path).unwrap();
    let mut found = 0;
    for place in (2..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x41;
        fs::write(&path, &changed).unwrap();
        let (seen, bad) = readable(&path, &lines);
        match bad {
            Some(LineError::Unreadable(error)) => {
                found += 1;
                let problem = error.to_string();
                assert!(problem.contains("its gzip is damaged near byte"), "{problem}");
            }
            Some(_) => found += 1,
            // The header has a time, a system and more that matter to nothing.
            None => assert_eq!(seen, 3, "byte {place} changed"),
        }
    }
    assert!(found * 10 > bytes.len() / 7 * 9, "{found} of {}", bytes.len() / 7);
}

#[test]
fn files_of_other_programs_are_read_whole_in_parts_and_cut_off() {
    let (text, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    // The name says nothing.
    let path = folder.path().join("games.jsonl");
    let whole = by_another_program(text.as_bytes());
    fs::write(&path, &whole).unwrap();
    assert_eq!(
        verify(&path, VerifyOptions::QUIET).unwrap(),
        verify(LOG.as_ref(), VerifyOptions::QUIET).unwrap()
    );
    // Members may end anywhere.
    let pieces = text.as_bytes().chunks(10_007).map(by_another_program);
    fs::write(&path, pieces.collect::<Vec<_>>().concat()).unwrap();
    assert_eq!(
        verify(&path, VerifyOptions::QUIET).unwrap(),
        verify(LOG.as_ref(), VerifyOptions::QUIET).unwrap()
    );
    // A log can be resumed where a member ends with a line, and nowhere else.
    fs::write(&path, &whole).unwrap();
    LogWriter::resume(&path, |_| Ok::<_, LogFileError>(())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
    let cut = &whole[..whole.len() / 2];
    fs::write(&path, cut).unwrap();
    let (seen, bad) = readable(&path, &lines);
    assert!(seen > lines.len() / 3 && matches!(bad, Some(LineError::Torn)));
    let problem = LogWriter::resume(&path, |_| Ok::<_, LogFileError>(())).unwrap_err().to_string();
    assert!(problem.contains("decompress it first"), "{problem}");
    assert_eq!(fs::read(&path).unwrap(), cut);
    // What follows a member is another one.
    fs::write(&path, [whole.as_slice(), b"\0\0"].concat()).unwrap();
    let (seen, bad) = readable(&path, &lines);
    assert!(seen == lines.len() && bad.unwrap().to_string().contains("are not gzip"));
}

#[test]
fn a_line_that_never_ends_is_read_up_to_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl.gz");
    let piece = by_another_program(&vec![b' '; 8 << 20]);
    fs::write(&path, piece.repeat(1000)).unwrap();
    assert!(matches!(readable(&path, &[]), (0, Some(LineError::TooLong))));
    let problem = verify(&path, VerifyOptions::QUIET).unwrap_err().to_string();
    assert!(problem.contains("is longer than"), "{problem}");
}

#[test]
fn a_growing_log_is_read_by_whole_lines_and_from_marks() {
    let (text, lines) = example();
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("games.jsonl.gz"), folder.path().join("copy"));
    // The members end where a log that was killed again and again has its ends.
    let members: Vec<&[Line]> = lines.chunks(40).collect();
    let mut grown = Vec::new();
    let mut log = LogWriter::create(&path).unwrap();
    for member in members {
        for line in member {
            log.append(line).unwrap();
            grown.push(fs::read(&path).unwrap());
        }
        drop(log);
        log = LogWriter::resume(&path, |_| Ok::<_, LogFileError>(())).unwrap().0;
    }
    let mut marks = Vec::new();
    fs::write(&copy, "").unwrap();
    let mut reader = LogReader::new(record::WholeLines::open(&copy).unwrap());
    for (place, bytes) in grown.iter().enumerate() {
        marks.push(reader.mark());
        let before = place.checked_sub(1).map_or(0, |before| grown[before].len());
        for cut in [before + 1, (before + bytes.len()) / 2] {
            fs::write(&copy, &bytes[..cut]).unwrap();
            assert!(reader.next_line().unwrap().is_none(), "line {place}, cut after {cut} bytes");
        }
        // A crash left that, and what a writer that goes on writes is longer.
        fs::write(&copy, bytes).unwrap();
        let read = reader.next_line().unwrap().map(|read| read.line);
        assert_eq!(read.as_ref(), Some(&lines[place]));
    }
    assert!(reader.next_line().unwrap().is_none());
    for (place, mark) in marks.iter().enumerate() {
        // The plain log has the same places.
        for path in [copy.as_path(), Path::new(LOG)] {
            let mut lines_from = mark.open(path).unwrap();
            let read = lines_from.next_line().unwrap().map(|read| read.line);
            assert_eq!(read.as_ref(), Some(&lines[place]), "line {place} of {}", path.display());
        }
    }
    assert_eq!(decompressed(&fs::read(&copy).unwrap()), text);
    let mut first = String::new();
    record::open(&copy).unwrap().read_line(&mut first).unwrap();
    assert!(text.starts_with(&first));
}

/// A small file that another program compressed can hold any number of lines and members.
#[test]
fn a_compressed_log_is_read_up_to_its_first_bad_line() {
    let (text, lines) = example();
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("log.jsonl.gz");
    let header = text.split_inclusive('\n').next().unwrap();
    let one = |begin: &str, rest: &[u8]| by_another_program(&[begin.as_bytes(), rest].concat());
    let many = |begin: &str, rest: &[u8]| {
        [by_another_program(begin.as_bytes()), by_another_program(rest).repeat(2_000)].concat()
    };
    let cases: [(&str, Vec<u8>, usize, &str); 7] = [
        ("line feeds", one(header, &[b'\n'; 1 << 20]), 1, "does not end in"),
        ("blanks", one(header, &b"  \n".repeat(1 << 20)), 1, "does not end in"),
        ("one line of NULs", one(header, &vec![0; 65 << 20]), 1, "is longer than"),
        ("lines after the end", one(&text, &[b'\n'; 1 << 20]), lines.len(), "does not end in"),
        ("empty members", many(&text, b""), lines.len(), "are almost empty"),
        ("members of a line feed", many(header, b"\n"), 1, "does not end in"),
        ("members of a byte", many(header, b"x"), 1, "are almost empty"),
    ];
    for (what, bytes, whole, problem) in cases {
        fs::write(&path, bytes).unwrap();
        let (seen, bad) = readable(&path, &lines);
        assert_eq!(seen, whole, "{what}");
        assert!(bad.unwrap().to_string().contains(problem), "{what}");
        let found = verify(&path, VerifyOptions::QUIET).unwrap_err().to_string();
        assert!(found.contains(problem), "{what}: {found}");
    }
}
