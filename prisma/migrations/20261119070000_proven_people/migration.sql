-- Which person made a token, as they proved it: "login:gudrun" or "os:gudrun". Of tokens made before this it is not known.
ALTER TABLE "api_token" ADD COLUMN "identity" TEXT;
-- The user of the operating system that is the same person, where an admin declared it.
ALTER TABLE "dashboard_user" ADD COLUMN "system_user" TEXT;
CREATE UNIQUE INDEX "dashboard_user_system_user_key" ON "dashboard_user"("system_user");
