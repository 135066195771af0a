PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE customers(id, name, city, discount);
INSERT INTO customers VALUES(1,'Ann','Rome',5);
INSERT INTO customers VALUES(2,'Bob','Oslo',NULL);
INSERT INTO customers VALUES(3,'Cleo','Paris',10);
CREATE TABLE orders(id, customer, title, price, day);
INSERT INTO orders VALUES(1,1,'tea',3.5,'2024-05-01');
INSERT INTO orders VALUES(2,1,'pot',20,'2024-05-02');
INSERT INTO orders VALUES(3,3,'cup','n/a','2024-05-03');
INSERT INTO orders VALUES(4,2,'jug',12,'2024-05-04');
CREATE TABLE audit(message, at);
CREATE INDEX orders_by_day ON orders(day);
CREATE VIEW spent AS SELECT customer, sum(price) AS total FROM orders GROUP BY customer;
CREATE TRIGGER log_order AFTER INSERT ON orders BEGIN
  INSERT INTO audit VALUES('order ' || NEW.id, NEW.day);
END;
INSERT INTO orders VALUES(5,2,'mug',8,'2024-05-05');
WITH big AS (SELECT customer, total FROM spent WHERE total > -1)
SELECT name, total, json_extract(price, '$.eur')
FROM big JOIN customers ON customers.id = big.customer JOIN orders ON orders.customer = customers.id
WHERE discount IS NOT NULL
ORDER BY total DESC;
COMMIT;
