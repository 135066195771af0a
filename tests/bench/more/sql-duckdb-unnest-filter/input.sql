-- Weekly report of the bicycle workshop: parts used, hours booked, and reminders to send.
-- Everything is in one script so that it can be run on an empty database.

CREATE SCHEMA workshop;

CREATE TYPE progress AS ENUM ('open', 'waiting', 'done', 'collected');

CREATE TABLE workshop.customers (
    customer_id INTEGER PRIMARY KEY,
    name VARCHAR NOT NULL,
    postcode VARCHAR(5) CHECK (length(postcode) = 5),
    phones VARCHAR[],
    since DATE DEFAULT DATE '2019-01-01'
);

CREATE TABLE workshop.jobs (
    job_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES workshop.customers (customer_id),
    received TIMESTAMP NOT NULL,
    state progress NOT NULL,
    labels VARCHAR[],
    estimate DECIMAL(8, 2)
);

CREATE TABLE workshop.parts (
    job_id INTEGER NOT NULL,
    sku VARCHAR NOT NULL,
    quantity SMALLINT NOT NULL,
    price DECIMAL(8, 2) NOT NULL,
    UNIQUE (job_id, sku)
);

CREATE TABLE workshop.hours (
    job_id INTEGER,
    mechanic VARCHAR,
    worked INTERVAL,
    note VARCHAR
);

INSERT INTO workshop.customers VALUES
    (1, 'Amira Haddad', '10115', list_value('030-1234', '0170-99'), DATE '2019-04-02'),
    (2, 'Jonas Weber', '10243', NULL, DATE '2020-07-15'),
    (3, 'Li Na', '12047', list_value('0151-7'), DATE '2021-03-09'),
    (4, 'O''Brien', '10115', list_value(), DEFAULT);

INSERT INTO workshop.jobs VALUES
    (100, 1, '2024-03-04 09:15:00', 'done', list_value('brakes', 'urgent'), 85.00),
    (101, 2, '2024-03-04 11:40:00', 'waiting', list_value('wheel'), 140.50),
    (102, 3, '2024-03-05 08:05:00', 'open', list_value('gears', 'brakes', 'light'), 60.00),
    (103, 1, '2024-03-06 17:30:00', 'collected', list_value(), 25.00),
    (104, 4, '2024-03-07 10:00:00', 'open', NULL, NULL);

INSERT INTO workshop.parts VALUES
    (100, 'pad-v', 2, 9.90), (100, 'cable-b', 1, 4.50), (101, 'rim-622', 1, 48.00),
    (101, 'spoke-290', 36, 0.65), (102, 'cassette-11', 1, 54.90), (103, 'bell', 1, 7.00);

INSERT INTO workshop.hours VALUES
    (100, 'Ida', INTERVAL '45 minutes', 'adjusted twice'),
    (101, 'Tom', INTERVAL '2 hours', NULL),
    (101, 'Ida', INTERVAL '30 minutes', 'trued'),
    (102, 'Tom', INTERVAL '20 minutes', 'waiting for the part'),
    (103, 'Ida', INTERVAL '5 minutes', NULL);

CREATE VIEW workshop.costs AS
WITH material AS (
    SELECT job_id, sum(quantity * price) AS amount
    FROM workshop.parts
    GROUP BY job_id
), labour AS (
    SELECT job_id, sum(date_part('epoch', worked)) / 3600.0 * 48.0 AS amount
    FROM workshop.hours
    GROUP BY job_id
)
SELECT
    j.job_id,
    j.customer_id,
    coalesce(material.amount, 0) AS material,
    coalesce(labour.amount, 0) AS labour,
    coalesce(material.amount, 0) + coalesce(labour.amount, 0) - j.estimate AS over
FROM workshop.jobs AS j
LEFT JOIN material USING (job_id)
LEFT JOIN labour USING (job_id);

CREATE MACRO workshop.label_of(x) AS CASE
    WHEN x IS NULL THEN 'none'
    WHEN x > 50 THEN 'much'
    ELSE 'some'
END;

-- 1. What each mechanic did.
SELECT
    mechanic,
    count(DISTINCT job_id) AS jobs,
    sum(date_part('epoch', worked)) / 60 AS minutes,
    string_agg(note, '; ' ORDER BY note) FILTER (WHERE note IS NOT NULL) AS notes
FROM workshop.hours
GROUP BY mechanic
HAVING count(*) > 1
ORDER BY minutes DESC;

-- 2. The most expensive job of each customer, and its share of all.
SELECT name, job_id, workshop.label_of(material) AS parts, round(100 * share, 1) AS percent
FROM (
    SELECT
        c.name,
        k.job_id,
        k.material,
        (k.material + k.labour) / sum(k.material + k.labour) OVER () AS share,
        row_number() OVER (PARTITION BY c.customer_id ORDER BY k.material + k.labour DESC) AS place
    FROM workshop.costs AS k
    JOIN workshop.customers AS c USING (customer_id)
) AS ranked
WHERE place = 1
ORDER BY share DESC NULLS LAST;

-- 3. How long jobs waited, by day of the week.
SELECT dayname(received) AS day, avg(epoch(TIMESTAMP '2024-03-08 18:00:00' - received)) / 86400 AS days
FROM workshop.jobs
WHERE state IN ('open', 'waiting')
GROUP BY ALL
ORDER BY min(received);

-- 4. Stickers to print: one for each label of a job, where the shelf has room.
SELECT text, shelf, slot + position AS place
FROM (
    SELECT labelled.job_id, list_extract(labelled.labels, 1) AS text, room.shelf, room.slot, unnest(labelled.positions) AS position
    FROM (
        SELECT job_id, labels, range(1, len(labels) + 1) AS positions
        FROM workshop.jobs
        WHERE state <> 'collected' AND labels IS NOT NULL
    ) AS labelled
    CROSS JOIN (VALUES ('left', 0), ('right', 20)) AS room (shelf, slot)
) AS stickers
WHERE slot + position < 22
ORDER BY shelf, place;

-- 5. Who gets a reminder.
UPDATE workshop.jobs SET state = 'done' WHERE job_id = 102;
DELETE FROM workshop.hours WHERE note LIKE 'waiting%';

SELECT c.name, coalesce(list_extract(c.phones, 1), 'write to ' || c.postcode) AS contact, j.received + INTERVAL '14 days' AS until
FROM workshop.jobs AS j, workshop.customers AS c
WHERE j.customer_id = c.customer_id
  AND j.state = 'done'
  AND NOT EXISTS (SELECT 1 FROM workshop.costs AS k WHERE k.job_id = j.job_id AND k.over > 100)
UNION ALL
SELECT name, 'new customer', NULL FROM workshop.customers WHERE since > DATE '2024-01-01';
