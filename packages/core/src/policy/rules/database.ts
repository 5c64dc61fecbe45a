import { hasOption } from "../command-words.js";
import type { CommandRule } from "../command-rule.js";
import type { FoundCommand } from "../found-command.js";

const clients: readonly string[] = [
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "sqlite",
  "mongosh",
  "mongo",
  "redis-cli",
  "valkey-cli",
  "clickhouse-client",
  "clickhouse",
  "sqlcmd",
  "cockroach",
  "duckdb",
  "bq",
  "snowsql",
  "cqlsh",
  "influx",
  "sqlplus",
  "pgcli",
  "mycli",
  "usql",
  "trino",
  "hive",
  "turso",
  "wrangler",
];

const maximalText = 65_536;

/** What a client is given to run: its words, its stdin, and what pipes into it. */
function statements({ words, input }: FoundCommand): string {
  return [...words.slice(1), input?.text ?? ""].join("\n").slice(0, maximalText);
}

const drops =
  /\b(?:drop\s+(?:table|database|schema|view|index|user|role|keyspace|collection|materialized|owned|column)|truncate\s+(?:table\s+)?["'`\w]|alter\s+table\s[^;]{1,200}\bdrop\b|flushall|flushdb|dropdatabase\s*\(|\.drop\s*\(|deletemany\s*\(\s*\{\s*\}|remove\s*\(\s*\{\s*\})/iu;

/** `DELETE FROM x` and `UPDATE x SET …` without WHERE, statement by statement. */
function changesAll(text: string): boolean {
  return text.split(";").some((statement) => {
    const isWhole = /\bdelete\s+from\s+\S+|\bupdate\s+\S+\s+set\s/iu.test(statement);
    return isWhole && !/\b(?:where|limit)\b/iu.test(statement);
  });
}

export const databaseRules: readonly CommandRule[] = [
  {
    id: "drop_data",
    level: "dangerous",
    category: "database",
    description:
      "`DROP`, `TRUNCATE`, `ALTER … DROP`, `DELETE` or `UPDATE` without `WHERE`, `FLUSHALL`, `dropDatabase()` through a database's client",
    why: "it deletes data of a database",
    programs: clients,
    matches: (command) => {
      const text = statements(command);
      return (
        drops.test(text) ||
        changesAll(text) ||
        (command.name === "bq" && /^rm\b/u.test(command.words[1] ?? ""))
      );
    },
  },
  {
    id: "drop_database",
    level: "dangerous",
    category: "database",
    description:
      "`dropdb`, `mysqladmin drop`, `rails db:drop`, `prisma migrate reset`, `manage.py flush`, `artisan migrate:fresh` …",
    why: "it deletes a whole database",
    programs: [
      "dropdb",
      "dropuser",
      "mysqladmin",
      "rails",
      "rake",
      "prisma",
      "artisan",
      "php",
      "python",
      "python3",
      "django-admin",
      "sequelize",
      "sequelize-cli",
      "typeorm",
      "mix",
      "manage.py",
      "knex",
      "supabase",
      "mongorestore",
      "pg_restore",
    ],
    matches: (command) => {
      const text = command.words.slice(1).join(" ");
      switch (command.name) {
        case "dropdb":
        case "dropuser":
          return true;
        case "mysqladmin":
          return /\bdrop\b/u.test(text);
        case "prisma":
          return /\bmigrate\s+reset\b|--force-reset|--accept-data-loss/u.test(text);
        case "python":
        case "python3":
        case "django-admin":
        case "manage.py":
          return /(?:^|manage\.py\s+)(?:flush|reset_db|sqlflush)\b/u.test(text);
        case "php":
        case "artisan":
          return /\b(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/u.test(text);
        case "mix":
          return /\becto\.(?:drop|reset)\b/u.test(text);
        case "typeorm":
          return /\bschema:drop\b/u.test(text);
        case "supabase":
          return /\bdb reset\b/u.test(text);
        case "mongorestore":
          return /--drop\b/u.test(text);
        case "pg_restore":
          return hasOption(command, "c", "clean");
        case "knex":
          return /rollback\b.*--all/u.test(text);
        default:
          return /\bdb:(?:drop|reset|purge|schema:load|migrate:reset)\b|\bdb:migrate:undo:all\b/u.test(text);
      }
    },
  },
];
