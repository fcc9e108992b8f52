package dev.cleave.transport;

import dev.cleave.wire.Names;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * The identity that a certificate gives: its first URI name, of {@code cleave:NAME} only the name; else the common name
 * of its subject; else its first DNS name.
 */
public final class Identities {

    private static final String OWN_SCHEME = "cleave:";
    private static final int DNS = 2;
    private static final int URI = 6;

    private Identities() {}

    /**
     * Returns the identity in a certificate.
     *
     * @throws CertificateException if it has none, or one that cannot be printed
     */
    public static String of(X509Certificate certificate) throws CertificateException {
        String identity = alternative(certificate, URI);
        if (identity != null && identity.startsWith(OWN_SCHEME)) {
            identity = identity.substring(OWN_SCHEME.length());
        }
        if (identity == null) {
            identity = commonName(certificate);
        }
        if (identity == null) {
            identity = alternative(certificate, DNS);
        }
        if (identity == null || identity.isBlank() || !Names.isPlain(identity)) {
            throw new CertificateException(
                    "the certificate names no identity (expected: a URI name cleave:NAME, a common name or a DNS name)");
        }
        return identity;
    }

    private static @Nullable String alternative(X509Certificate certificate, int kind)
            throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0).equals(kind)) {
                    return String.valueOf(name.get(1));
                }
            }
        }
        return null;
    }

    private static @Nullable String commonName(X509Certificate certificate) throws CertificateException {
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String name) {
                    return name;
                }
            }
            return null;
        } catch (InvalidNameException e) {
            throw new CertificateException("subject: " + e.getMessage(), e);
        }
    }
}
