// What the order of streams says, and which bytes two pieces of work share.
#include <gtest/gtest.h>

#include "scope/observers/hazards/stream_order.h"
#include "scope/observers/hazards/touched_pages.h"

namespace tilescope::observers {
namespace {

using machine::StreamEventKind;

class Streams {
public:
    void create(std::uint32_t stream, bool is_blocking) {
        order.on_stream({StreamEventKind::kCreate, stream, 0, is_blocking});
    }
    void tell(StreamEventKind kind, std::uint32_t stream, std::uint64_t event = 0) {
        order.on_stream({kind, stream, event, true});
    }
    // Whether the work `number` of `first` is before the next piece of `second`.
    bool is_before(std::uint32_t first, std::uint64_t number, std::uint32_t second) {
        order.issue(second);
        return order.before(second).at(first) >= number;
    }
    StreamOrder order;
};

TEST(StreamOrder, StreamsThatDoNotBlockAreApart) {
    Streams s;
    s.create(2, false);
    s.create(3, false);
    const std::uint64_t one = s.order.issue(2), other = s.order.issue(0);
    EXPECT_FALSE(s.is_before(2, one, 3));
    EXPECT_FALSE(s.is_before(2, one, 0));
    EXPECT_FALSE(s.is_before(0, other, 3));
    EXPECT_TRUE(s.is_before(2, one, 2));
}

TEST(StreamOrder, TheDefaultStreamOrdersThoseThatBlock) {
    Streams s;
    s.create(2, true);
    s.create(3, true);
    const std::uint64_t one = s.order.issue(2);
    EXPECT_FALSE(s.is_before(2, one, 3));
    EXPECT_TRUE(s.is_before(2, one, 0));
    EXPECT_TRUE(s.is_before(2, one, 3));  // by way of the default stream
}

TEST(StreamOrder, AnEventCarriesWhatWasBeforeItOnly) {
    Streams s;
    s.create(2, false);
    s.create(3, false);
    const std::uint64_t before = s.order.issue(2);
    s.tell(StreamEventKind::kRecord, 2, 77);
    const std::uint64_t after = s.order.issue(2);
    s.tell(StreamEventKind::kWait, 3, 77);
    EXPECT_TRUE(s.is_before(2, before, 3));
    EXPECT_FALSE(s.is_before(2, after, 3));
    s.tell(StreamEventKind::kWait, 3, 78);  // never recorded
    EXPECT_FALSE(s.is_before(2, after, 3));
}

TEST(StreamOrder, WhatTheHostWaitedForIsBeforeAllThatComes) {
    Streams s;
    s.create(2, false);
    s.create(3, false);
    const std::uint64_t one = s.order.issue(2);
    EXPECT_FALSE(s.order.is_over(2, one));
    s.tell(StreamEventKind::kSynchronizeStream, 3);
    EXPECT_FALSE(s.order.is_over(2, one));
    s.tell(StreamEventKind::kSynchronizeStream, 2);
    EXPECT_TRUE(s.order.is_over(2, one));
    EXPECT_TRUE(s.is_before(2, one, 3));
    const std::uint64_t more = s.order.issue(3);
    s.tell(StreamEventKind::kSynchronizeDevice, 0);
    EXPECT_TRUE(s.order.is_over(3, more));
}

TEST(StreamOrder, APointGivenToOthersIsACut) {
    Streams s;
    s.create(2, false);
    s.order.issue(2);
    const std::uint64_t cuts = s.order.cuts(2);
    s.order.issue(2);
    EXPECT_EQ(s.order.cuts(2), cuts);
    s.tell(StreamEventKind::kRecord, 2, 5);
    EXPECT_GT(s.order.cuts(2), cuts);
}

TEST(TouchedPages, SharedBytesAreFoundToTheByte) {
    TouchedPages first, second;
    first.mark(10'000, 5'000, Touch::kWrite, 1);
    second.mark(15'000, 100, Touch::kRead, 2);
    EXPECT_FALSE(first.conflict(second));
    second.mark(14'999, 1, Touch::kRead, 2);
    const auto found = first.conflict(second);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->address, 14'999u);
    EXPECT_EQ(found->first, Touch::kWrite);
    EXPECT_EQ(found->second, Touch::kRead);
    EXPECT_EQ(found->first_op, 1u);
    EXPECT_EQ(found->second_op, 2u);
}

TEST(TouchedPages, ReadersAndAtomicsDoNotConflictAmongThemselves) {
    TouchedPages first, second;
    first.mark(4096, 4096, Touch::kRead);
    second.mark(4096, 4096, Touch::kRead);
    first.mark(8192, 64, Touch::kStrong);
    second.mark(8192, 64, Touch::kStrong);
    EXPECT_FALSE(first.conflict(second));
    second.mark(8200, 1, Touch::kRead);
    EXPECT_TRUE(first.conflict(second));
}

TEST(TouchedPages, WholePagesNeedNoBits) {
    TouchedPages pages;
    pages.mark(4096, 4095, Touch::kWrite);
    const std::uint64_t with_bits = pages.table_bytes();
    pages.mark(8191, 1, Touch::kWrite);
    pages.compact();
    EXPECT_LT(pages.table_bytes(), with_bits);
    TouchedPages byte;
    byte.mark(8191, 1, Touch::kRead);
    EXPECT_TRUE(pages.conflict(byte));
}

TEST(TouchedPages, WhatIsClearedIsGone) {
    TouchedPages pages, all;
    all.mark(0, 3 * 4096, Touch::kRead);
    pages.mark(0, 3 * 4096, Touch::kWrite);
    pages.clear(100, 2 * 4096);
    const auto found = pages.conflict(all);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->address, 0u);
    pages.clear(0, 100);
    EXPECT_EQ(pages.conflict(all)->address, 100u + 2 * 4096);
    pages.clear(0, 3 * 4096);
    EXPECT_FALSE(pages.conflict(all));
}

TEST(TouchedPages, ShardsAddUp) {
    TouchedPages pages, shard, byte;
    shard.mark(4096, 8, Touch::kWrite, 3);
    pages.mark(4104, 8, Touch::kWrite, 4);
    pages.merge(shard);
    byte.mark(4096, 1, Touch::kRead);
    const auto found = pages.conflict(byte);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first_op, TouchedPages::kManyOps);
}

TEST(TouchedPages, StrongAccessesConflictWithPlainOnesAlone) {
    EXPECT_FALSE(in_conflict(Touch::kRead, Touch::kStrongRead));  // nobody changes anything
    EXPECT_FALSE(in_conflict(Touch::kSystemRead, Touch::kRead));
    EXPECT_FALSE(in_conflict(Touch::kStrong, Touch::kSystem));
    EXPECT_TRUE(in_conflict(Touch::kStrongRead, Touch::kWrite));
    EXPECT_TRUE(in_conflict(Touch::kRead, Touch::kSystem));
}

TEST(TouchedPages, ThatMeetBytesSayWhichAndHow) {
    TouchedPages touched;
    touched.mark(0x1ff0, 0x20, Touch::kWrite, 3);  // over the end of a page
    touched.mark(0x5000, TouchedPages::kPage, Touch::kRead, 4);
    const unsigned any = bit_of(Touch::kWrite) | bit_of(Touch::kRead);
    EXPECT_FALSE(touched.meeting(0x1fe0, 0x10, any));
    EXPECT_FALSE(touched.meeting(0x2010, 0x2ff0, any));
    EXPECT_FALSE(touched.meeting(0x5000, 8, bit_of(Touch::kWrite)));
    const auto met = touched.meeting(0x1fe0, 0x4000, any);
    ASSERT_TRUE(met);
    EXPECT_EQ(met->address, 0x1ff0u);
    EXPECT_EQ(met->touch, Touch::kWrite);
    EXPECT_EQ(met->op, 3u);
    EXPECT_EQ(touched.meeting(0x2010, 0x2ff1, any)->address, 0x5000u);
}

}  // namespace
}  // namespace tilescope::observers
