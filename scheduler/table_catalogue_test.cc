// SPDX-License-Identifier: Apache-2.0
#include "scheduler/table_catalogue.h"

#include "absl/strings/str_cat.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TableSpec Spec(std::string name, uint32_t dim = 1) {
  TableSpec spec;
  spec.name = std::move(name);
  spec.dim = dim;
  spec.partitions = 4;
  return spec;
}

class TableCatalogueTest : public ::testing::Test {
 protected:
  absl::StatusOr<const TableEntry*> Open(std::string group, TableSpec spec, uint32_t workers = 2) {
    return tables_.OpenOrCreate(group, spec, workers, servers_);
  }

  ContiguousPlacement placement_;
  TableCatalogue tables_{&placement_};
  std::vector<ServerRef> servers_ = {{1, "a:1"}, {3, "b:1"}};
};

TEST_F(TableCatalogueTest, ANewTableIsPlacedAndAnExistingOneComesBack) {
  auto made = Open("job-1", Spec("weights"));
  ASSERT_OK(made);
  EXPECT_EQ((*made)->id, 1u);
  EXPECT_EQ((*made)->map_epoch, 1u);
  EXPECT_EQ((*made)->owner, (std::vector<uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ((*made)->servers[1].node, 3u);
  servers_.clear();  // An existing table needs no servers to be found.
  auto again = Open("job-1", Spec("weights"));
  ASSERT_OK(again);
  EXPECT_EQ(*again, *made);
}

TEST_F(TableCatalogueTest, GroupsDoNotSeeEachOther) {
  ASSERT_OK(Open("job-1", Spec("weights")));
  auto other = Open("job-2", Spec("weights", 4));
  ASSERT_OK(other);
  EXPECT_EQ((*other)->id, 2u);
}

TEST_F(TableCatalogueTest, SharedTablesAreSeenByAll) {
  auto made = Open("job-1", Spec("shared/words"));
  ASSERT_OK(made);
  EXPECT_EQ((*made)->group, kSharedGroup);
  auto other = Open("job-2", Spec("shared/words"), 7);
  ASSERT_OK(other);
  EXPECT_EQ((*other)->id, (*made)->id);
  tables_.Drop("job-1");
  tables_.Drop(kSharedGroup);
  EXPECT_EQ(tables_.size(), 1u);
}

TEST_F(TableCatalogueTest, AnotherSpecIsRefusedNamingWhatDiffers) {
  ASSERT_OK(Open("g", Spec("weights", 8)));
  EXPECT_THAT(Open("g", Spec("weights", 4)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("weights"), HasSubstr("dim is 8, asked for 4"))));
  EXPECT_THAT(Open("g", Spec("weights", 8), 3),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("2 workers, asked for 3")));
}

TEST_F(TableCatalogueTest, WithoutServersItIsUnavailable) {
  servers_.clear();
  EXPECT_THAT(Open("g", Spec("weights")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no server")));
}

TEST_F(TableCatalogueTest, ImpossibleRequestsAreRefused) {
  const auto invalid = [](absl::string_view what) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(what)));
  };
  EXPECT_THAT(Open("", Spec("weights")), invalid("group"));
  EXPECT_THAT(Open("g", Spec("weights"), 0), invalid("0 workers"));
  TableSpec dense = Spec("bias");
  dense.kind = TableKind::kDense;
  dense.rows = ~uint64_t{0};
  EXPECT_THAT(Open("g", dense), invalid("rows"));
  TableSpec odd = Spec("weights");
  odd.partitions = 3;
  EXPECT_THAT(Open("g", odd), invalid("power of two"));
  EXPECT_EQ(tables_.size(), 0u);
}

TEST_F(TableCatalogueTest, DroppingAGroupForgetsItsTablesOnly) {
  for (const char* group : {"job-1", "job-10", "job-2"}) {
    ASSERT_OK(Open(group, Spec("weights")));
    ASSERT_OK(Open(group, Spec("bias")));
  }
  tables_.Drop("job-1");
  EXPECT_EQ(tables_.size(), 4u);
  auto anew = Open("job-1", Spec("weights", 2));
  ASSERT_OK(anew);
  EXPECT_EQ((*anew)->id, 7u);  // Never reused.
}

TEST_F(TableCatalogueTest, TooManyGroupsAreRefused) {
  for (size_t i = 0; i < TableCatalogue::kMostGroups; ++i) {
    ASSERT_OK(Open(absl::StrCat("group ", i), Spec("weights")));
  }
  EXPECT_THAT(Open("more", Spec("weights")), StatusIs(absl::StatusCode::kResourceExhausted,
                                                      HasSubstr("10000 groups with tables")));
  EXPECT_OK(Open("group 7", Spec("bias")));
  tables_.Drop("group 7");
  EXPECT_OK(Open("more", Spec("weights")));
}

}  // namespace
}  // namespace seraph
