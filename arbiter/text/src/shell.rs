//! Words of commands that can be copied: what a message or a page prints works as it stands in a
//! shell.

use std::path::Path;

use crate::printable;

/// A path as one word that names the same file in a shell, and can be shown in one line.
///
/// What is not printed stands in the quotes `$'…'` of bash, ksh and zsh, since other quotes would
/// have to hold it as it is.
pub fn word(path: &Path) -> String {
    // What begins with a dash would be an option.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
