-- Text search reads the vectors of what it matched. Rows of a passage's text and its vector are 2 to 4 kB: kept whole
-- and uncompressed in their page, ranking 500 of them takes half the time (measured in the embedded database).
alter table recourse.knowledge_keys set (toast_tuple_target = 4080);
