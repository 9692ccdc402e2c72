//! Archives that are made at random, and archives that were damaged at random.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use tar::EntryType;

use super::archives::{Entry, deflated, gz, stored, zip};
use super::made::{MANIFEST, append, files, sent, tar};

/// Files by their paths, none of which is a folder of another one.
fn contents() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let path = "d[0-9]{1,3}/f[a-z]{1,8}|f[a-z0-9]{1,8}\\.py|e/[a-c]/f[0-9]{1,4}";
    btree_map(path, vec(any::<u8>(), 0..2_000), 0..20).prop_map(|files| {
        let manifest = [("bot.toml".to_owned(), MANIFEST.as_bytes().to_vec())];
        manifest.into_iter().chain(files).collect()
    })
}

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let entries: Vec<Entry> = files
        .iter()
        .enumerate()
        .map(|(place, (name, content))| match place % 2 {
            0 => stored(name, content),
            _ => deflated(name, content),
        })
        .collect();
    zip(&entries)
}

fn tarred(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    tar(|to| {
        for (name, content) in files {
            append(to, name.as_bytes(), EntryType::Regular, content);
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_is_unpacked(mut packed in contents()) {
        let archives = [zipped(&packed), gz(&tarred(&packed))];
        packed.sort();
        for bytes in archives {
            let unpacked = sent(&bytes, None).expect("a bot");
            prop_assert_eq!(&files(&unpacked.bot), &packed);
        }
    }

    /// It is unpacked or refused; `sent` looks that nothing lies outside.
    #[test]
    fn what_is_damaged_does_no_harm(
        packed in contents(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        is_zip in any::<bool>(),
    ) {
        let mut bytes = if is_zip { zipped(&packed) } else { tarred(&packed) };
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        // A tar is damaged before it is compressed: otherwise its check sum tells.
        let bytes = if is_zip { bytes } else { gz(&bytes) };
        if let Err(problem) = sent(&bytes, None) {
            let text = problem.to_string();
            prop_assert!(text.chars().all(|c| !c.is_control()), "{text:?}");
        }
    }

    #[test]
    fn any_bytes_do_no_harm(
        sign in prop::sample::select(vec![&b""[..], b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\0"]),
        rest in vec(any::<u8>(), 0..600),
        file in "[ -~]{0,12}",
    ) {
        let _ = sent(&[sign, &rest].concat(), Some(&file));
    }
}
