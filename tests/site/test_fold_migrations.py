"""Indexes and constraints of the initial migrations are made with their tables."""

from scripts.fold_migrations import folded

BEFORE = """\
from django.db import migrations, models


class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            name='Night',
            fields=[('number', models.IntegerField())],
            options={
                'verbose_name': 'night',
            },
        ),
        migrations.CreateModel(
            name='Late',
            fields=[],
            options={
                'verbose_name': 'late',
            },
        ),
        migrations.AddField(
            model_name='late',
            name='night',
            field=models.ForeignKey(to='games.night', on_delete=models.CASCADE),
        ),
        migrations.AddIndex(
            model_name='late',
            index=models.Index(fields=['night'], name='late_night'),
        ),
        migrations.AddConstraint(
            model_name='night',
            constraint=models.UniqueConstraint(fields=('number',), name='night_once'),
        ),
        migrations.AddIndex(
            model_name='night',
            index=models.Index(fields=['number'], name='night_number'),
        ),
    ]
"""


def test_they_move_into_the_operation_that_makes_the_table() -> None:
    after = folded(BEFORE)
    assert "AddConstraint" not in after
    assert after.count("AddIndex") == 1
    night = after[after.index("name='Night'") : after.index("name='Late'")]
    assert "models.UniqueConstraint(fields=('number',), name='night_once')," in night
    assert "models.Index(fields=['number'], name='night_number')," in night
    compile(after, "0001_initial.py", "exec")


def test_what_needs_a_later_field_stays() -> None:
    after = folded(BEFORE)
    assert after.index("name='late_night'") > after.index("migrations.AddField")


def test_a_folded_migration_stays_as_it_is() -> None:
    once = folded(BEFORE)
    assert folded(once) == once
