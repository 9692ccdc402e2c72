//! The first and the last lines of what a program wrote, as a person may see them.

use crate::printable;

/// The longest line that is shown, in characters.
const WIDTH: usize = 200;

/// Stands for what is left out.
const LEFT_OUT: &str = "…";

/// The lines of a text, `most` at most, with nothing in them that a terminal would obey.
///
/// Some languages say what went wrong in the last line of a trace, others in the first. So if there
/// are more lines, a quarter is taken from the beginning and the rest from the end.
pub fn excerpt(text: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end();
    if text.is_empty() {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    shortened(&lines, most).into_iter().map(line).collect()
}

/// The first and the last of some lines, `most` of them at most.
pub fn shortened<'a>(lines: &[&'a str], most: usize) -> Vec<&'a str> {
    if lines.len() <= most {
        return lines.to_vec();
    }
    let first = most / 4;
    let last = lines.len() - most.saturating_sub(first + 1);
    [&lines[..first], &[LEFT_OUT], &lines[last..]].concat()
}

/// One line, cut where it is too long, with nothing in it that a terminal would obey.
pub fn line(line: &str) -> String {
    let mut text: String = line.chars().take(WIDTH).collect();
    if text.len() < line.len() {
        text.push_str(LEFT_OUT);
    }
    printable_text(&text)
}

/// A line of any bytes and any length: text as text, and in escapes what is none.
pub fn readable(line: &[u8]) -> String {
    let chunk = |chunk: std::str::Utf8Chunk<'_>| {
        let rest = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        printable_text(chunk.valid()) + &rest.collect::<String>()
    };
    line.utf8_chunks().map(chunk).collect()
}

fn printable_text(text: &str) -> String {
    printable(&text.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_shown_as_it_is() {
        assert_eq!(excerpt(b"", 4), Vec::<String>::new());
        assert_eq!(excerpt(b"\n \n", 4), Vec::<String>::new());
        assert_eq!(excerpt(b"a\r\n\tb\n\nc", 4), ["a", "    b", "", "c"]);
        assert_eq!(excerpt("“ä”\n".as_bytes(), 4), ["“ä”"]);
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_text_are_shown() {
        let text: String = (0..1000).map(|line| format!("{line}\n")).collect();
        let shown = excerpt(text.as_bytes(), 8);
        assert_eq!(shown, ["0", "1", "…", "995", "996", "997", "998", "999"]);
        for most in 0..12 {
            assert!(excerpt(text.as_bytes(), most).len() <= most.max(1), "{most}");
        }
    }

    #[test]
    fn no_line_is_long_and_nothing_controls_a_terminal() {
        let text = [&[b'x'; 1000][..], b"\n\x1b[2J\x00\xff\r\xe2\x80\xae"].concat();
        let shown = excerpt(&text, 4);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0].chars().count(), WIDTH + 1);
        assert_eq!(shown[1], "\\u{1b}[2J\\0\u{fffd}\\r\\u{202e}");
    }

    #[test]
    fn all_of_a_line_can_be_read() {
        assert_eq!(readable("\tčaša".as_bytes()), "    čaša");
        assert_eq!(readable(b"\x1b[2J\xc5 \xff\\"), "\\u{1b}[2J\\xc5 \\xff\\");
        assert_eq!(readable(&[b'x'; 1000]).len(), 1000);
    }
}
