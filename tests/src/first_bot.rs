//! The steps of `docs/first-bot.md` in one language, one after the other in an empty folder: commands are
//! given, files become what is shown of them, and differences are made.

use std::fs;
use std::path::Path;

use crate::console::run_blocks;
use crate::documented::root;
use crate::installed::is_there;

/// Takes the steps of a section of the page, if this program is there.
pub fn follow(heading: &str, program: &str) {
    if !is_there(program) {
        return;
    }
    let page = fs::read_to_string(root().join("docs/first-bot.md")).expect("the page");
    let section = page.split(&format!("\n## In {heading}\n")).nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let (folder, pages) = (tempfile::tempdir(), tempfile::tempdir());
    let (folder, pages) = (folder.expect("a folder"), pages.expect("a folder"));
    for block in section.split("```").skip(1).step_by(2) {
        let (opening, content) = block.split_once('\n').expect("a block");
        match opening.split_once(' ') {
            None => {
                assert_eq!(opening, "console", "in the steps to a first bot");
                let page = pages.path().join("page.md");
                // trycmd takes each printed `\` for part of a path.
                let content = content.replace('\\', "/");
                fs::write(&page, format!("```console\n{content}```\n")).expect("a file");
                run_blocks([page.as_path()], folder.path());
            }
            Some(("sh", "no-test")) => {}
            Some((language, file)) => edit(&folder.path().join(file), language, content),
        }
    }
}

/// Makes of a file what a block says of it: a line becomes others, the function of C that chooses a move
/// another one, or all of it is new.
fn edit(file: &Path, language: &str, content: &str) {
    let old = fs::read_to_string(file).expect("a file");
    let new = match language {
        "diff" => {
            let (removed, added) = content.split_once('\n').expect("two lines");
            let removed = removed.strip_prefix('-').expect("a line to remove");
            assert_eq!(old.matches(removed).count(), 1, "`{removed}` in {old}");
            let added = added.lines().filter_map(|line| line.strip_prefix('+'));
            old.replace(removed, &added.collect::<Vec<_>>().join("\n"))
        }
        "c" => {
            let start = old.find("/* The move to play. */").expect("its function");
            let end = old.find("int main(void)").expect("its end");
            format!("{}{content}\n{}", &old[..start], &old[end..])
        }
        _ => content.to_owned(),
    };
    fs::write(file, new).expect("a file");
}
