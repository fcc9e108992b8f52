import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;

/**
 * Copies a jar without what only compilers and debuggers read in class files: generic signatures, names of local variables, and annotations, of which the
 * agent's classes read none of their own. The build runs it from its source.
 */
public final class Slim {

    private Slim() {}

    /** Copies the first jar to the second one. */
    public static void main(String[] jars) throws IOException {
        try (ZipFile from = new ZipFile(jars[0]);
                OutputStream file = Files.newOutputStream(Path.of(jars[1]));
                ZipOutputStream to = new ZipOutputStream(file)) {
            Enumeration<? extends ZipEntry> entries = from.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                to.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream in = from.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    to.write(entry.getName().endsWith(".class") ? slim(bytes) : bytes);
                }
                to.closeEntry();
            }
        }
    }

    private static byte[] slim(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, 0);
        node.signature = null;
        node.visibleTypeAnnotations = null;
        node.visibleAnnotations = null;
        node.invisibleAnnotations = null;
        for (FieldNode field : node.fields) {
            field.signature = null;
            field.visibleTypeAnnotations = null;
            field.visibleAnnotations = null;
            field.invisibleAnnotations = null;
        }
        for (MethodNode method : node.methods) {
            method.signature = null;
            method.visibleTypeAnnotations = null;
            method.visibleAnnotations = null;
            method.invisibleAnnotations = null;
            method.localVariables = null;
            method.visibleLocalVariableAnnotations = null;
            method.parameters = null;
            method.instructions.forEach(insn -> insn.visibleTypeAnnotations = null);
        }
        if (node.recordComponents != null) {
            for (RecordComponentNode component : node.recordComponents) {
                component.signature = null;
                component.visibleTypeAnnotations = null;
            }
        }
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return writer.toByteArray();
    }
}
