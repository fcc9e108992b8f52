package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathFilesTest {

    @TempDir
    private Path folder;

    private Path jar(String name, String entry, String bytes) throws Exception {
        Path jar = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out)) {
            zip.putNextEntry(new JarEntry(entry));
            zip.write(bytes.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return jar;
    }

    private static String text(byte[] read) {
        return new String(read, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void filesAreReadFromJarsAndFoldersInTheirOrder() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes/shop"));
        Files.writeString(classes.resolve("Folder.class"), "of the folder");
        Files.writeString(classes.resolve("Both.class"), "of the folder");
        Path jar = jar("a.jar", "shop/Jar.class", "of the jar");
        Path other = jar("b.jar", "shop/Both.class", "of the other jar");
        ClassPathFiles files = new ClassPathFiles(String.join(
                File.pathSeparator,
                jar.toString(),
                "missing.jar",
                classes.getParent().toString(),
                other.toString()));
        assertThat(text(files.read("shop/Folder"))).isEqualTo("of the folder");
        assertThat(text(files.read("shop/Both"))).isEqualTo("of the folder");
        assertThat(text(files.read("shop/Jar"))).isEqualTo("of the jar");
        assertThat(files.read("shop/None")).isNull();
        assertThat(files.read("None")).isNull();
    }

    @Test
    void aLoaderWithAClassPathOfItsOwnIsAskedWithoutItsParents() throws Exception {
        Path jar = jar("a.jar", "shop/Jar.class", "of the jar");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassPathFilesTest.class.getClassLoader())) {
            assertThat(text(ClassPathFiles.read(loader, "shop/Jar"))).isEqualTo("of the jar");
            assertThat(ClassPathFiles.read(
                            loader, ClassPathFilesTest.class.getName().replace('.', '/')))
                    .isNull();
            assertThat(ClassFileSource.OF_LOADERS.readLikely(
                            loader, ClassPathFilesTest.class.getName().replace('.', '/')))
                    .isNotNull();
        }
    }

    @Test
    void otherLoadersAreAskedThemselves() {
        ClassLoader loader = new ClassLoader(ClassPathFilesTest.class.getClassLoader()) {};
        assertThat(ClassPathFiles.read(loader, "java/lang/Object")).isNull();
        assertThat(ClassPathFiles.read(null, "java/lang/Object")).isNull();
        assertThat(ClassFileSource.OF_LOADERS.readLikely(loader, "java/lang/Object"))
                .isNotNull();
    }

    @Test
    void theJvmsClassPathHoldsThisClass() {
        String name = ClassPathFilesTest.class.getName().replace('.', '/');
        assertThat(ClassPathFiles.read(ClassLoader.getSystemClassLoader(), name))
                .isNotNull();
    }
}
