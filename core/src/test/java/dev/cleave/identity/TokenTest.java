package dev.cleave.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import dev.cleave.wire.Challenge;
import dev.cleave.wire.Proof;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class TokenTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final byte[] CERTIFICATE = {1, 2, 3};

    private final KeyPair issuer = Ed25519.pair();
    private final KeyPair holder = Ed25519.pair();
    private final Token token =
            new Token("ann \"a\\b\"", List.of("broker", "server"), NOW, NOW.plusSeconds(3600), holder.getPublic());

    @Test
    void whatIsSignedIsReadAgain() throws GeneralSecurityException {
        assertThat(Token.read(token.signed(issuer.getPrivate()), issuer.getPublic()))
                .isEqualTo(token);
    }

    @Test
    void anotherSignatureIsRefused() throws GeneralSecurityException {
        String foreign = token.signed(Ed25519.pair().getPrivate());

        assertThatThrownBy(() -> Token.read(foreign, issuer.getPublic()))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("not signed by the issuer");
    }

    /** The algorithm that a token names has no effect: "none" is not one. */
    @Test
    void anUnsignedTokenIsRefused() throws GeneralSecurityException {
        String signed = token.signed(issuer.getPrivate());
        String claims = signed.substring(signed.indexOf('.'), signed.lastIndexOf('.') + 1);
        String none = Token.encoded("{\"alg\":\"none\"}".getBytes(StandardCharsets.US_ASCII)) + claims;

        assertThatThrownBy(() -> Token.read(none, issuer.getPublic())).isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void noChangedTokenIsRead() throws GeneralSecurityException {
        String signed = token.signed(issuer.getPrivate());
        long seed = Seed.of(TokenTest.class);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 300; i++) {
            StringBuilder changed = new StringBuilder(signed);
            int at = random.nextInt(signed.lastIndexOf('.') + 80);
            changed.setCharAt(at, (char) (signed.charAt(at) ^ 1 << random.nextInt(7)));

            assertThatThrownBy(() -> Token.read(changed.toString(), issuer.getPublic()))
                    .as("seed " + seed)
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void aTokenIsForItsAudienceWhileItLives() {
        assertThatCode(() -> token.check("server", NOW.plusSeconds(3599))).doesNotThrowAnyException();
        assertThatThrownBy(() -> token.check("server", NOW.plusSeconds(3600))).hasMessageContaining("has expired");
        assertThatThrownBy(() -> token.check("server", NOW.minusSeconds(61))).hasMessageContaining("not yet");
        assertThatThrownBy(() -> token.check("bank", NOW)).hasMessageContaining("is for [broker, server]");
    }

    /** An issuer that signs for longer is not believed: the limit is the reader's. */
    @Test
    void noTokenLivesLongerThanAnHour() throws GeneralSecurityException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Token("ann", List.of("broker"), NOW, NOW.plusSeconds(3601), holder.getPublic()));
        String signed = signed("\"iat\":1,\"exp\":4000");

        assertThatThrownBy(() -> Token.read(signed, issuer.getPublic()))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("at most 60 minutes");
    }

    @Test
    void aTokenIsRefusedBeforeTheTimeThatItsIssuerSays() throws GeneralSecurityException {
        Token read = Token.read(signed("\"iat\":1000,\"nbf\":2000,\"exp\":4000"), issuer.getPublic());

        assertThatThrownBy(() -> read.check("broker", Instant.ofEpochSecond(1900)))
                .hasMessageContaining("not yet");
        assertThatCode(() -> read.check("broker", Instant.ofEpochSecond(2000))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Token.read(signed("\"iat\":1000,\"nbf\":5000,\"exp\":9000"), issuer.getPublic()))
                .as("a later begin makes no life longer")
                .hasMessageContaining("at most 60 minutes");
    }

    private String signed(String times) throws GeneralSecurityException {
        String claims = "{\"sub\":\"ann\",\"aud\":\"broker\"," + times + ",\"cnf\":{\"jwk\":{\"x\":\""
                + Token.encoded(Ed25519.raw(holder.getPublic())) + "\"}}}";
        String text = "e30." + Token.encoded(claims.getBytes(StandardCharsets.US_ASCII));
        return text + "." + Token.encoded(Ed25519.sign(issuer.getPrivate(), text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void aProofIsGoodForItsConnectionAlone() throws GeneralSecurityException {
        HeldToken held = new HeldToken(token.signed(issuer.getPrivate()), token.subject(), holder.getPrivate());
        Challenge challenge = Challenge.random();
        Proof proof = held.prove(challenge, CERTIFICATE);

        assertThat(check(proof, challenge, CERTIFICATE)).isEqualTo(token.subject());
        assertThatThrownBy(() -> check(proof, Challenge.random(), CERTIFICATE))
                .hasMessageContaining("not of its holder for this connection");
        assertThatThrownBy(() -> check(proof, challenge, new byte[] {1, 2, 4}))
                .hasMessageContaining("not of its holder for this connection");
    }

    @Test
    void aTokenWithoutTheKeyOfItsHolderIsWorthNothing() throws GeneralSecurityException {
        HeldToken stolen = new HeldToken(
                token.signed(issuer.getPrivate()),
                token.subject(),
                Ed25519.pair().getPrivate());
        Challenge challenge = Challenge.random();

        assertThatThrownBy(() -> check(stolen.prove(challenge, CERTIFICATE), challenge, CERTIFICATE))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void aTokenFileHasTokenAndKey(@TempDir Path directory) throws Exception {
        HeldToken held = new HeldToken(token.signed(issuer.getPrivate()), token.subject(), holder.getPrivate());
        Path file = Files.writeString(directory.resolve("ann.token"), held.file());

        assertThat(HeldToken.read(file)).isEqualTo(held);
        Files.writeString(file, "nonsense");
        assertThatThrownBy(() -> HeldToken.read(file))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("ann.token: no token");
    }

    @Test
    void aTokenHasAPrintableIdentityAndAnAudience() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Token("ann", List.of(), NOW, NOW.plusSeconds(60), holder.getPublic()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Token("a\nb", List.of("b"), NOW, NOW.plusSeconds(60), holder.getPublic()));
    }

    private String check(Proof proof, Challenge challenge, byte[] certificate) throws GeneralSecurityException {
        return HeldToken.check(proof, challenge, certificate, issuer.getPublic(), "server", NOW.plusSeconds(1));
    }
}
