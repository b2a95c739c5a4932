-- A member's dashboard counts their products of now and of 30 days ago, deleted ones included.
create index products_counts_of_seller on products (seller_id, created_at) include (deleted_at, archived_at);
