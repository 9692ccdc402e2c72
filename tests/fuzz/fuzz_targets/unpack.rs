//! A bot that a stranger sends.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::unpack(data));
