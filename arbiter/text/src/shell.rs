//! Words of commands that can be copied: what a message or a page prints works as it stands in a
//! shell.

use std::path::Path;

use crate::printable;

/// A path as one word that names the same file in a shell, and can be shown in one line.
///
/// A path that cannot be printed is written in the quotes `$'…'` of bash, ksh and zsh, since other
/// quotes would have to hold it as it is.
pub fn word(path: &Path) -> String {
    // A dash at the front would make it an option.
    let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if dashed { Path::new(".").join(path) } else { path.to_owned() };
    match path.to_str().filter(|text| printable(text) == *text) {
        Some(text) => shlex::try_quote(text).map_or_else(|_| escaped(&path), |it| it.into_owned()),
        None => escaped(&path),
    }
}

/// A bot that is a path, as `match` and `check` take one: the words of a command in a word.
pub fn bot_word(path: &str) -> String {
    // There are no zeros in paths, so every path can be quoted.
    let command = shlex::try_quote(path).unwrap_or_else(|_| path.into());
    word(Path::new(command.as_ref()))
}

fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped: String = bytes
        .map(|byte| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
            b' '..=b'~' => char::from(*byte).to_string(),
            _ => format!("\\{byte:03o}"),
        })
        .collect();
    format!("$'{escaped}'")
}

const LEFT_OUT: &str = "…/";

/// A text in which each absolute path has its last name alone: `/srv/league/bot.py` is `…/bot.py`.
pub fn without_folders(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let may_begin = match before {
            // Two slashes begin an address, unless it names a file.
            ':' => !rest.starts_with("//") || rest.starts_with("///"),
            _ => !(before.is_alphanumeric() || "._-~*}/…".contains(before)) || is_option(&told),
        };
        if next == '/' && may_begin {
            let path = &rest[..end_of_path(rest, before)];
            let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            told.push_str(LEFT_OUT);
            told.push_str(name);
            before = '/';
            rest = &rest[path.len()..];
            continue;
        }
        told.push(next);
        before = next;
        rest = &rest[next.len_utf8()..];
    }
    told
}

/// A text for the author of a program in this folder, who learns nothing of the machine: paths of the folder begin
/// there, and each other absolute path has its last name alone.
pub fn for_author(text: &str, folder: &Path) -> String {
    let named = |path: &Path| format!("{}/", path.display());
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mut text = text.to_owned();
    for place in [real.as_path(), folder].into_iter().filter(|place| place.is_absolute()) {
        text = text.replace(&named(place), "");
    }
    without_folders(&text)
}

/// Returns true if a text ends with an option that a path may follow at once, such as `-I` of a compiler.
fn is_option(text: &str) -> bool {
    let word = text.rsplit(|it: char| it.is_whitespace() || "\"'`".contains(it)).next();
    let letters = word.and_then(|word| word.strip_prefix('-'));
    letters.is_some_and(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphabetic()))
}

/// The end of a path: the quote that it began with, or the end of the word.
fn end_of_path(text: &str, before: char) -> usize {
    let is_quote = |it: char| "\"'`".contains(it);
    let ends = |it: char| match is_quote(before) {
        true => it == before || it == '\n',
        false => it.is_whitespace() || is_quote(it) || ")],;:".contains(it),
    };
    text.find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{for_author, without_folders, *};

    #[test]
    fn an_author_sees_paths_from_the_folder_of_the_program() {
        let text = "File \"/srv/class/bots/anna@1/lib/bot.py\", line 3; /usr/lib/python3/json.py, \
                    /srv/class/bots/anna@12/x in /srv/class/bots/anna@1";
        let told = "File \"lib/bot.py\", line 3; …/json.py, …/x in …/anna@1";
        assert_eq!(for_author(text, Path::new("/srv/class/bots/anna@1")), told);
    }

    #[test]
    fn a_shell_reads_the_path_from_its_word() {
        for path in ["cup coup", "a'b", "a\"b", "a$b`c`", "čaša", "a#b", "a=b", "*", "~a", "a\\b"]
        {
            let read = shlex::split(&word(Path::new(path))).expect("words");
            assert_eq!(read, [path]);
            let read = shlex::split(&bot_word(path)).expect("words");
            let [command] = &read[..] else { panic!("{path}: {read:?}") };
            assert_eq!(shlex::split(command).expect("words"), [path]);
        }
        for (path, expected) in [("cup", "cup"), ("-cup", "./-cup"), ("a\nb", "$'a\\012b'")] {
            assert_eq!(word(Path::new(path)), expected);
        }
        assert_eq!(bot_word("./my-bot"), "./my-bot");
        assert_eq!(bot_word("my bots/second"), "\"'my bots/second'\"");
    }

    #[test]
    fn absolute_paths_lose_their_folders() {
        let cases = [
            ("", ""),
            ("python3 bot.py", "python3 bot.py"),
            ("/usr/bin/python3 /srv/a/bot.py --at 1/2", "…/python3 …/bot.py --at 1/2"),
            ("'/srv/my bots/bot.py' x", "'…/bot.py' x"),
            (
                "command = \"/srv/bots/a\"\nread = [\"/opt/m\", \"b\"]",
                "command = \"…/a\"\nread = [\"…/m\", \"b\"]",
            ),
            ("`/srv/class/league.jsonl`: line 3", "`…/league.jsonl`: line 3"),
            ("--model=/srv/m/w.bin ./bot ../x bots/a/b", "--model=…/w.bin ./bot ../x bots/a/b"),
            ("https://example.org/a/b", "https://example.org/a/b"),
            ("file:///srv/m @/srv/x >/srv/y //srv/z", "file:…/m @…/x >…/y …/z"),
            ("${HOME}/a ~/b */c", "${HOME}/a ~/b */c"),
            (
                "cc -I/srv/a/include \"-L/srv/my lib\" -isystem/opt/b",
                "cc -I…/include \"-L…/my lib\" -isystem…/b",
            ),
            ("a-b/c -1/2 --a-b/c", "a-b/c -1/2 --a-b/c"),
            ("/", "…/"),
            ("é/ü /ä/ö", "é/ü …/ö"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_folders(text), expected, "{text}");
        }
    }
}
