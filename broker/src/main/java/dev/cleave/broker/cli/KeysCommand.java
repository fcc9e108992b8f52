package dev.cleave.broker.cli;

import dev.cleave.identity.Token;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave keys}: makes an authority, and keys and certificates of identities. */
@Command(
        name = "keys",
        description = {
            "Make an authority for development, and a key and a certificate of each identity.",
            "A directory that has an authority keeps it, and gets new keys of the identities.",
            "With --token each identity gets a token for peers of the audience, in the place of a certificate."
        },
        mixinStandardHelpOptions = true)
final class KeysCommand implements Subcommand {

    private static final List<String> USUAL = List.of("broker", "server", "client", "admin");
    private static final int MOST_DAYS = 825;

    @Parameters(index = "0", paramLabel = "DIR", description = "Where the files go; it is made if there is none.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path directory;

    @Parameters(
            index = "1..*",
            paramLabel = "IDENTITY",
            description = "Names of identities; else broker, server, client and admin.")
    private List<String> identities = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            description = "How long the certificates of identities are valid; 90 unless given.")
    private int days = 90;

    @Option(
            names = "--token",
            description = "Make tokens, and the key that signs them if there is none, instead of certificates.")
    private boolean token;

    @Option(
            names = "--audience",
            paramLabel = "IDENTITY",
            split = ",",
            description = "The identities of brokers and servers that take the tokens; else broker and server.")
    private List<String> audience = List.of("broker", "server");

    @Option(
            names = "--minutes",
            paramLabel = "MINUTES",
            description = "How long tokens are valid, at most 60; 60 unless given.")
    private int minutes = 60;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > MOST_DAYS) {
            throw new CommandException("--days: " + days + " (expected: 1.." + MOST_DAYS + ")");
        }
        if (token) {
            return issueTokens();
        }
        List<String> names = identities.isEmpty() ? USUAL : identities;
        names.forEach(DevelopmentAuthority::checkName);
        boolean isNew = !Files.exists(directory.resolve(DevelopmentAuthority.KEY_FILE));
        DevelopmentAuthority authority = DevelopmentAuthority.in(directory);
        for (String name : names) {
            authority.certify(name, Duration.ofDays(days));
        }
        PrintWriter out = spec.commandLine().getOut();
        Sentences.say(
                out,
                (isNew ? "new authority and " : "") + "keys of " + String.join(", ", names) + " in " + directory
                        + ", valid for " + days + " days");
        Sentences.say(
                out, "use them by -Dcleave.keys=" + directory + " -Dcleave.identity=NAME, or in the application file:");
        out.println("security:");
        Sentences.say(out, "  keys: " + directory);
        out.println("  rights:");
        out.println("    - {identity: server, register: [\"*\"]}");
        out.println("    - {identity: client, call: [\"*\"]}");
        out.println("    - {identity: admin, administer: [\"*\"]}");
        out.flush();
        return 0;
    }

    private Integer issueTokens() throws IOException {
        if (minutes < 1 || minutes > Token.LONGEST.toMinutes()) {
            throw new CommandException("--minutes: " + minutes + " (expected: 1.." + Token.LONGEST.toMinutes() + ")");
        }
        if (identities.isEmpty()) {
            throw new CommandException("--token: no identity (expected: cleave keys DIR IDENTITY --token)");
        }
        identities.forEach(DevelopmentAuthority::checkName);
        TokenIssuer issuer = TokenIssuer.in(directory);
        for (String name : identities) {
            issuer.issue(name, audience, Duration.ofMinutes(minutes));
        }
        PrintWriter out = spec.commandLine().getOut();
        Sentences.say(
                out,
                (issuer.isNew() ? "new key of tokens and " : "") + "tokens of " + String.join(", ", identities)
                        + " for " + String.join(", ", audience) + " in " + directory + ", valid for " + minutes
                        + " minutes");
        Sentences.say(
                out,
                "take them by -Dcleave.keys=" + directory + " at brokers and servers; use one by -Dcleave.token="
                        + directory.resolve(identities.get(0) + ".token") + " -Dcleave.authority="
                        + directory.resolve("authority.crt"));
        out.flush();
        return 0;
    }
}
