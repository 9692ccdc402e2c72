//! Integers of many words.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// An integer of `N` words of 64 bits, in two's complement, the least word first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WideInteger<const N: usize>([u64; N]);

impl<const N: usize> WideInteger<N> {
    pub(super) const ZERO: WideInteger<N> = WideInteger([0; N]);

    /// Moves all bits up by some, fewer than 64, and adds a number.
    pub(super) fn append(self, bits: u32, number: i64) -> WideInteger<N> {
        let mut words = self.0;
        let mut carried = 0;
        for word in &mut words {
            let both = (u128::from(*word) << bits) | u128::from(carried);
            (*word, carried) = (both as u64, (both >> 64) as u64);
        }
        WideInteger(words) + WideInteger::from(number)
    }

    #[inline]
    pub(super) fn is_zero(self) -> bool {
        self == WideInteger::ZERO
    }

    #[inline]
    pub(super) fn double(self) -> WideInteger<N> {
        self + self
    }

    /// Half of an even number.
    pub(super) fn half(self) -> WideInteger<N> {
        let mut words = self.0;
        let mut carried = words[N - 1] & (1 << 63);
        for word in words.iter_mut().rev() {
            (*word, carried) = ((*word >> 1) | carried, *word << 63);
        }
        WideInteger(words)
    }

    #[inline]
    fn zipped(
        self,
        other: WideInteger<N>,
        with: impl Fn(u64, u64, bool) -> (u64, bool),
    ) -> WideInteger<N> {
        let mut words = self.0;
        let mut carry = false;
        for (word, other) in words.iter_mut().zip(other.0) {
            (*word, carry) = with(*word, other, carry);
        }
        WideInteger(words)
    }
}

impl<const N: usize> From<i64> for WideInteger<N> {
    fn from(number: i64) -> WideInteger<N> {
        let mut words = [if number < 0 { u64::MAX } else { 0 }; N];
        words[0] = number as u64;
        WideInteger(words)
    }
}

impl<const N: usize> Add for WideInteger<N> {
    type Output = WideInteger<N>;

    #[inline]
    fn add(self, other: WideInteger<N>) -> WideInteger<N> {
        self.zipped(other, |one, other, carry| {
            let (sum, over) = one.overflowing_add(other);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            (sum, over || over_again)
        })
    }
}

impl<const N: usize> Sub for WideInteger<N> {
    type Output = WideInteger<N>;

    #[inline]
    fn sub(self, other: WideInteger<N>) -> WideInteger<N> {
        self.zipped(other, |one, other, borrow| {
            let (difference, under) = one.overflowing_sub(other);
            let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
            (difference, under || under_again)
        })
    }
}

impl<const N: usize> AddAssign for WideInteger<N> {
    fn add_assign(&mut self, other: WideInteger<N>) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for WideInteger<N> {
    fn sub_assign(&mut self, other: WideInteger<N>) {
        *self = *self - other;
    }
}

impl<const N: usize> Ord for WideInteger<N> {
    #[inline]
    fn cmp(&self, other: &WideInteger<N>) -> Ordering {
        let sign = |it: &WideInteger<N>| it.0.last().map(|word| *word as i64);
        sign(self).cmp(&sign(other)).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const N: usize> PartialOrd for WideInteger<N> {
    fn partial_cmp(&self, other: &WideInteger<N>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
